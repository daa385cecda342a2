/* Rules about what else was at work: other processes, few CPUs, wrong clocks, libraries between. */
#ifndef ASSESS_OTHERS_H
#define ASSESS_OTHERS_H

#include "assess/scene.h"

/* I1: other processes used the device below the files, or wanted the CPUs. */
bool others_were_active(const struct scene *scene, struct verdict *verdict);
/* I3: tasks had no CPU of their own, and some operations waited long. */
bool tasks_waited_for_cpus(const struct scene *scene, struct verdict *verdict);
/* T2: the clocks of a node run at different rates. */
bool clocks_disagreed(const struct scene *scene, struct verdict *verdict);
/* P1: a library is preloaded and may stand between iorx and the storage. */
bool library_stood_between(const struct scene *scene, struct verdict *verdict);
/* P2: a hint of MPI-IO has another value than the job asks for. */
bool hints_were_ignored(const struct scene *scene, struct verdict *verdict);
/* P3: operations took more than one call: transfers were short, or requests were repeated. */
bool operations_took_calls(const struct scene *scene, struct verdict *verdict);

#endif
