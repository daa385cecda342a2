/* The mixed phase of a metadata test: a load on the files of the test's own tree. */
#ifndef ENGINE_LOAD_LOAD_MIX_H
#define ENGINE_LOAD_LOAD_MIX_H

#include "engine/core/work.h"

extern const struct work mix_work;

#endif
