/* Deals the tasks of a job to the members of its sets. */
#include "plan/deal.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "options/tasks_wanted.h"

/* A set whose tasks are dealt. */
struct dealing {
	const struct job *job;
	const struct node_map *map;
	const uint32_t *counts; /* tasks of each node */
	size_t first, end;	/* tests of the set */
	uint32_t *taken;	/* slots of each node that members have; always the lowest ones */
	bool *on;		/* nodes of the member at hand */
	struct seating *seatings;
	struct error *err;
};

static const struct test_spec *spec_of(const struct dealing *dealing, size_t test)
{
	return &dealing->job->tests[test];
}

static int deal_refuse(const struct dealing *dealing, size_t test)
{
	return job_add_test_location(dealing->job, spec_of(dealing, test), dealing->err);
}

/* Parses the number at *text, between blanks, and moves behind it. */
static bool take_number(const char **text, uint64_t *number)
{
	char *end;

	*text += strspn(*text, " ");
	if (!isdigit((unsigned char)**text))
		return false;
	*number = strtoull(*text, &end, 10);
	*text = end + strspn(end, " ");
	return true;
}

/* Parses the number or range at *text and moves behind it. False: it is neither. */
static bool take_range(const char **text, uint64_t *first, uint64_t *last)
{
	if (!take_number(text, first))
		return false;
	*last = *first;
	if (**text != '-')
		return true;
	++*text;
	return take_number(text, last) && *last >= *first;
}

/* Marks the nodes of a list such as "0-3,7". */
static int mark_nodes(const struct dealing *dealing, const char *list)
{
	uint64_t first, last;

	for (const char *at = list;; at++) {
		if (!take_range(&at, &first, &last) || (*at && *at != ','))
			return error_input(dealing->err,
					   "nodes: \"%.80s\" is no list of nodes; give numbers and "
					   "ranges from 0 on, such as 0-3,7",
					   list);
		if (last >= dealing->map->nodes)
			return error_input(dealing->err,
					   "nodes: the job has no node %" PRIu64
					   ", it runs on %" PRIu32
					   " node%s, numbered from 0; start "
					   "it on more nodes, or choose from these",
					   last, dealing->map->nodes,
					   dealing->map->nodes == 1 ? "" : "s");
		for (; first <= last; first++)
			dealing->on[first] = true;
		if (!*at)
			return 0;
	}
}

/* Marks the nodes from which a member may have tasks. */
static int choose_nodes(const struct dealing *dealing, size_t test)
{
	const char *list = test_of(spec_of(dealing, test))->nodes;

	memset(dealing->on, !list, dealing->map->nodes * sizeof(*dealing->on));
	return list && mark_nodes(dealing, list) ? deal_refuse(dealing, test) : 0;
}

/* Tasks of the marked nodes: those that no member has, and all. */
static uint64_t count_free(const struct dealing *dealing, uint64_t *all)
{
	uint64_t left = 0;

	*all = 0;
	for (uint32_t node = 0; node < dealing->map->nodes; node++) {
		if (!dealing->on[node])
			continue;
		*all += dealing->counts[node];
		left += dealing->counts[node] - dealing->taken[node];
	}
	return left;
}

/* Gives the member the first free tasks of the marked nodes, of which there must be so many. */
static void deal_give(const struct dealing *dealing, uint64_t tasks, struct seating *seating)
{
	const struct node_map *job = dealing->map;
	struct node_map *map = &seating->map;
	uint32_t *node_of = memory_allocate(job->nodes, sizeof(*node_of));
	uint32_t *slot_of = memory_allocate(job->nodes, sizeof(*slot_of));
	uint32_t *own =
		memory_allocate(job->nodes, sizeof(*own)); /* of the member, from 1; 0: none */
	uint32_t *slots = memory_allocate(job->nodes, sizeof(*slots)); /* of earlier runs */
	uint32_t task = 0;

	seating->seats = (struct seats){.map = map, .node_of = node_of, .slot_of = slot_of};
	for (const struct node_run *run = job->runs; run < job->runs + job->count; run++) {
		for (uint32_t node = run->node; node < run->node + run->nodes; node++) {
			const uint32_t first = slots[node], end = first + run->tasks;
			const uint32_t from = dealing->taken[node];

			slots[node] = end;
			if (dealing->on[node] && from < end && map->tasks < tasks) {
				const uint64_t left = tasks - map->tasks;
				const uint32_t count =
					left < end - from ? (uint32_t)left : end - from;

				if (!map->tasks)
					seating->seats.first_task = task + from - first;
				if (!own[node]) {
					node_of[map->nodes] = node;
					slot_of[map->nodes] = from;
					own[node] = map->nodes + 1;
				}
				node_map_append(map, own[node] - 1, count);
				dealing->taken[node] += count;
			}
			task += run->tasks;
		}
	}
	free(own);
	free(slots);
}

static bool has_rest(const struct test_spec *spec)
{
	const struct test *test = test_of(spec);

	return !strcmp(spec->set.share, "rest") ||
	       (test->nodes && !*spec->set.share && !test->num_tasks);
}

/* The tasks that "25%" or "3/4" of `tasks` are; 0: none, or the text is none of these. */
static uint64_t tasks_of_share(const char *share, uint64_t tasks)
{
	double above, below = 100;
	int used = 0;

	if ((sscanf(share, "%lf%%%n", &above, &used) != 1 || share[used] || !used) &&
	    (sscanf(share, "%lf/%lf%n", &above, &below, &used) != 2 || share[used]))
		return 0;
	if (!(above > 0) || !(below > 0) || above > below)
		return 0;
	return (uint64_t)llround((double)tasks * above / below);
}

/* The tasks that a member wants, of `all` tasks of its nodes; 0: an error, or `rest`. */
static uint64_t deal_wanted(const struct test_spec *spec, uint64_t all)
{
	return *spec->set.share ? tasks_of_share(spec->set.share, all) : test_of(spec)->num_tasks;
}

/* Refuses a member whose num_tasks is neither a number nor `rest`, or no task of `all`. */
static int refuse_wanted(const struct dealing *dealing, size_t test, uint64_t all)
{
	const struct test_spec *spec = spec_of(dealing, test);
	const char *whose = test_of(spec)->nodes ? " of the tasks of its nodes" : "";

	if (*spec->set.share)
		error_input(dealing->err,
			    "num_tasks: %.80s of %" PRIu64 " tasks is no number from 1 to all of "
			    "them; give a number of tasks, a share such as 3/4 or 25%%%s, or rest",
			    spec->set.share, all, whose);
	else
		error_input(dealing->err,
			    "num_tasks: a member of TOGETHER needs a number of tasks, a share such "
			    "as 3/4 or 25%%%s, or rest",
			    whose);
	return deal_refuse(dealing, test);
}

/* Gives a member with `nodes` its tasks. */
static int give_nodes(const struct dealing *dealing, size_t test)
{
	const struct test_spec *spec = spec_of(dealing, test);
	uint64_t all, left, tasks;

	if (choose_nodes(dealing, test))
		return -1;
	left = count_free(dealing, &all);
	tasks = has_rest(spec) ? left : deal_wanted(spec, all);
	if (tasks && tasks <= left) {
		deal_give(dealing, tasks, &dealing->seatings[test]);
		return 0;
	}
	if (!tasks && !has_rest(spec))
		return refuse_wanted(dealing, test, all);
	error_input(dealing->err,
		    "nodes: the member wants %" PRIu64 " task%s of nodes %.80s, which have %" PRIu64
		    ", and other members with nodes have %" PRIu64
		    " of them; start the job with more tasks on each node, or lower num_tasks%s",
		    tasks ? tasks : 1, tasks > 1 ? "s" : "", test_of(spec)->nodes, all, all - left,
		    test_of(spec)->copies > 1 ? " or copies, as copies use the same nodes" : "");
	return deal_refuse(dealing, test);
}

/* Counts the tasks that members without `nodes` want, and finds the one that has the rest. */
static int count_others(const struct dealing *dealing, uint64_t *sum, size_t *rest)
{
	*sum = 0;
	*rest = dealing->end;
	for (size_t i = dealing->first; i < dealing->end; i++) {
		const struct test_spec *spec = spec_of(dealing, i);
		const uint64_t tasks = deal_wanted(spec, dealing->map->tasks);

		if (test_of(spec)->nodes)
			continue;
		if (has_rest(spec)) {
			if (*rest < dealing->end) {
				error_input(dealing->err, "num_tasks: two members of TOGETHER have "
							  "the rest; one can");
				return deal_refuse(dealing, i);
			}
			*rest = i;
		} else if (!tasks) {
			return refuse_wanted(dealing, i, dealing->map->tasks);
		}
		*sum += tasks;
	}
	*sum += *rest < dealing->end;
	return 0;
}

/* The command starts all tests of the job, also if another one wants more tasks. */
static void refuse_sum(const struct dealing *dealing, uint64_t sum, uint64_t all)
{
	const uint64_t copies = test_of(spec_of(dealing, dealing->first))->copies;
	const uint64_t job = tasks_wanted(dealing->job), most = sum > job ? sum : job;

	error_input(dealing->err,
		    "num_tasks: the members of TOGETHER want %" PRIu64 " tasks%s and the job has "
		    "%" PRIu64 "; start it with mpirun -np %" PRIu64 "%s",
		    sum, copies > 1 ? " with all copies" : "", all, most,
		    copies > 1 ? ", or lower copies" : "");
}

/* Gives the members without `nodes` the tasks that are left, in the order of the members. */
static int give_others(const struct dealing *dealing)
{
	uint64_t sum, all, left;
	size_t rest;

	if (count_others(dealing, &sum, &rest))
		return -1;
	memset(dealing->on, true, dealing->map->nodes * sizeof(*dealing->on));
	left = count_free(dealing, &all);
	if (sum > left) {
		refuse_sum(dealing, sum + all - left, all);
		return deal_refuse(dealing, rest < dealing->end ? rest : dealing->first);
	}
	for (size_t i = dealing->first; i < dealing->end; i++) {
		const struct test_spec *spec = spec_of(dealing, i);

		if (!test_of(spec)->nodes)
			deal_give(dealing, i == rest ? left - sum + 1 : deal_wanted(spec, all),
				  &dealing->seatings[i]);
	}
	return 0;
}

static int deal_set(const struct dealing *dealing)
{
	for (int of_rest = 0; of_rest < 2; of_rest++)
		for (size_t i = dealing->first; i < dealing->end; i++)
			if (test_of(spec_of(dealing, i))->nodes &&
			    has_rest(spec_of(dealing, i)) == of_rest && give_nodes(dealing, i))
				return -1;
	return give_others(dealing);
}

static void copy_seating(struct seating *to, const struct seating *from)
{
	const size_t size = from->map.nodes * sizeof(uint32_t);
	uint32_t *node_of = memory_allocate(1, size), *slot_of = memory_allocate(1, size);

	memcpy(node_of, from->seats.node_of, size);
	memcpy(slot_of, from->seats.slot_of, size);
	node_map_append_map(&to->map, &from->map);
	to->seats = (struct seats){.map = &to->map,
				   .node_of = node_of,
				   .slot_of = slot_of,
				   .first_task = from->seats.first_task};
}

int deal_tasks(const struct job *job, const struct node_map *map, struct seating *seatings,
	       struct error *err)
{
	uint32_t *counts = node_map_counts(map);
	struct dealing dealing = {
		.job = job,
		.map = map,
		.counts = counts,
		.on = memory_allocate(map->nodes, sizeof(*dealing.on)),
		.taken = memory_allocate(map->nodes, sizeof(*dealing.taken)),
		.seatings = seatings,
		.err = err,
	};
	int ret = 0;

	for (size_t i = 0; i < job->test_count && !ret; i = dealing.end) {
		const struct membership *member = &job->tests[i].set;

		dealing.first = i;
		dealing.end = i + set_size(job, i);
		memset(dealing.taken, 0, map->nodes * sizeof(*dealing.taken));
		if (member->alone)
			copy_seating(&seatings[i], &seatings[member->alone_of]);
		else if (member->number)
			ret = deal_set(&dealing);
	}
	free(counts);
	free(dealing.on);
	free(dealing.taken);
	return ret;
}

void seating_release(struct seating *seating)
{
	free((uint32_t *)seating->seats.node_of);
	free((uint32_t *)seating->seats.slot_of);
	node_map_release(&seating->map);
	*seating = (struct seating){0};
}
