/* Sums over nodes and intervals, while a phase runs. */
#include "comm/relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/pack.h"

enum { TAG_SUMS = 104, TAG_END = 105 };

static size_t sums_size(const struct relay *relay)
{
	return sizeof(struct relay_sums) + relay->node->words * sizeof(uint64_t);
}

/* A packed word has at most 10 bytes. */
static size_t message_size(const struct relay *relay)
{
	return sums_size(relay) / sizeof(uint64_t) * 10;
}

void relay_init(struct relay *relay, struct node *node)
{
	*relay = (struct relay){
		.node = node, .sending = MPI_REQUEST_NULL, .above = {.request = MPI_REQUEST_NULL}};
	pthread_mutex_init(&relay->lock, NULL);
	relay->seen = memory_allocate(node->words, sizeof(*relay->seen));
	relay->sample = memory_allocate(1, sums_size(relay));
	for (unsigned i = 0; i < RELAY_KEPT; i++)
		relay->rows[i] = memory_allocate(1, sums_size(relay));
}

static void release_neighbours(struct relay *relay)
{
	for (unsigned i = 0; i < relay->below_count; i++)
		free(relay->below[i].bytes);
	relay->below_count = relay->below_left = 0;
}

void relay_release(struct relay *relay)
{
	if (!relay->node)
		return;
	release_neighbours(relay);
	text_release(&relay->message);
	for (unsigned i = 0; i < RELAY_KEPT; i++)
		free(relay->rows[i]);
	free(relay->sample);
	free(relay->seen);
	pthread_mutex_destroy(&relay->lock);
}

/* The counts of the crew's first slot on this node also say when the tasks leave. */
static struct node_counts *counts_of_all(const struct relay *relay)
{
	return node_counts(relay->node, relay->first_slot);
}

/* --- the intervals of this node ------------------------------------------------------------- */

/* Adds the node's present sums, less those of the last time, to words, which may be NULL. */
static void add_difference(struct relay *relay, uint64_t *words)
{
	for (size_t i = 0; i < relay->node->words; i++) {
		uint64_t sum = 0;

		for (uint32_t slot = 0; slot < relay->slots; slot++)
			sum += __atomic_load_n(
				&node_counts(relay->node, relay->first_slot + slot)->words[i],
				__ATOMIC_RELAXED);
		if (words)
			words[i] = sum - relay->seen[i];
		relay->seen[i] = sum;
	}
}

static struct relay_sums *row_of(struct relay *relay, uint64_t number)
{
	return relay->rows[number % RELAY_KEPT];
}

static void add_words(struct relay *relay, struct relay_sums *into, const uint64_t *words)
{
	for (size_t i = 0; i < relay->node->words; i++)
		into->words[i] += words[i];
}

static void drop_oldest(struct relay *relay)
{
	memset(row_of(relay, relay->oldest), 0, sums_size(relay));
	relay->oldest++;
}

/* The operations of an interval that found no way out in time enter the next one. */
static void carry_oldest(struct relay *relay)
{
	add_words(relay, row_of(relay, relay->oldest + 1), row_of(relay, relay->oldest)->words);
	drop_oldest(relay);
}

static void relay_put(struct relay *relay, const struct relay_sums *sums)
{
	const bool late = sums->number < relay->oldest;
	struct relay_sums *row;

	while (sums->number >= relay->oldest + RELAY_KEPT)
		carry_oldest(relay);
	row = row_of(relay, late ? relay->oldest : sums->number);
	add_words(relay, row, sums->words);
	if (!late) {
		row->nodes += sums->nodes;
		row->length_ns += sums->length_ns;
	}
	if (relay->newest < (late ? relay->oldest : sums->number))
		relay->newest = late ? relay->oldest : sums->number;
}

static void take_sample(struct relay *relay, uint64_t number, uint64_t at_ns)
{
	struct relay_sums *sample = relay->sample;

	sample->number = number;
	sample->nodes = 1;
	sample->length_ns = at_ns - relay->sampled_ns;
	add_difference(relay, sample->words);
	relay->sampled = number;
	relay->sampled_ns = at_ns;
	relay_put(relay, sample);
}

/* Takes an interval if one has ended. */
static void sample_until(struct relay *relay, uint64_t now_ns)
{
	uint64_t number =
		now_ns > relay->start_ns ? (now_ns - relay->start_ns) / relay->interval_ns : 0;

	if (number > relay->sampled)
		take_sample(relay, number, now_ns);
}

uint64_t relay_sample(struct relay *relay, uint64_t now_ns)
{
	uint64_t next_ns = UINT64_MAX;

	pthread_mutex_lock(&relay->lock);
	if (relay->samples) {
		sample_until(relay, now_ns);
		next_ns = relay->start_ns + (relay->sampled + 1) * relay->interval_ns;
		relay->samples = atomic_load(&counts_of_all(relay)->left) < relay->slots;
	}
	pthread_mutex_unlock(&relay->lock);
	return next_ns;
}

/* --- the tree ------------------------------------------------------------------------------- */

static void listen_below(struct relay *relay, struct relay_neighbour *below)
{
	MPI_Irecv(below->bytes, (int)message_size(relay), MPI_BYTE, below->task, TAG_SUMS,
		  relay->crew->comm.handle, &below->request);
}

/* The nodes of the part of the tree below `own`, and own itself. */
static uint32_t count_nodes(uint64_t own, uint64_t nodes)
{
	uint64_t first = own, last = own, count = 0;

	for (; first < nodes; first = first * RELAY_BRANCHES + 1) {
		count += (last < nodes ? last : nodes - 1) - first + 1;
		last = last * RELAY_BRANCHES + RELAY_BRANCHES;
	}
	return (uint32_t)count;
}

static void find_neighbours(struct relay *relay)
{
	const struct node_map *map = relay->crew->seats.map;
	const uint64_t own = node_map_node(map, (uint32_t)relay->crew->comm.rank);

	relay->nodes = count_nodes(own, map->nodes);
	relay->above.task =
		own ? (int)node_map_first(map, (uint32_t)(own - 1) / RELAY_BRANCHES) : -1;
	for (uint64_t i = 1; i <= RELAY_BRANCHES && own * RELAY_BRANCHES + i < map->nodes; i++) {
		struct relay_neighbour *below = &relay->below[relay->below_count++];

		below->task = (int)node_map_first(map, (uint32_t)(own * RELAY_BRANCHES + i));
		below->bytes = memory_allocate(1, message_size(relay));
		below->request = MPI_REQUEST_NULL;
	}
}

void relay_prepare(struct relay *relay, const struct crew *crew, uint32_t job_node)
{
	relay->crew = crew;
	relay->leads = crew_leads_node(crew);
	relay->first_slot = seats_first_slot(&crew->seats, job_node);
	relay->slots = seats_count(&crew->seats, job_node);
	if (!relay->leads)
		return;
	atomic_store(&counts_of_all(relay)->end_ns, 0);
	atomic_store(&counts_of_all(relay)->left, 0);
	atomic_store(&counts_of_all(relay)->left_ns, 0);
	release_neighbours(relay);
	find_neighbours(relay);
	add_difference(relay, NULL);
	for (unsigned i = 0; i < RELAY_KEPT; i++)
		memset(relay->rows[i], 0, sums_size(relay));
	relay->oldest = 1;
	relay->newest = 0;
}

void relay_start(struct relay *relay, uint64_t start_ns, uint64_t interval_ns)
{
	if (!relay->leads)
		return;
	relay->below_left = relay->below_count;
	for (unsigned i = 0; i < relay->below_count; i++)
		listen_below(relay, &relay->below[i]);
	relay->end_ns = 0;
	relay->passed_on = false;
	if (relay->above.task >= 0)
		MPI_Irecv(&relay->end_ns, 1, MPI_UINT64_T, relay->above.task, TAG_END,
			  relay->crew->comm.handle, &relay->above.request);
	pthread_mutex_lock(&relay->lock);
	relay->start_ns = relay->sampled_ns = start_ns;
	relay->interval_ns = interval_ns;
	relay->sampled = 0;
	relay->ends = false;
	relay->samples = true;
	pthread_mutex_unlock(&relay->lock);
}

void relay_leave(struct relay *relay, uint64_t now_ns)
{
	struct node_counts *counts = counts_of_all(relay);
	uint64_t latest_ns = atomic_load(&counts->left_ns);

	while (now_ns > latest_ns &&
	       !atomic_compare_exchange_weak(&counts->left_ns, &latest_ns, now_ns))
		;
	atomic_fetch_add(&counts->left, 1);
}

/* The next sums that need wait no longer; NULL: none. */
static struct relay_sums *find_ready(struct relay *relay)
{
	struct relay_sums *row = row_of(relay, relay->oldest);

	if (relay->oldest > relay->newest)
		return NULL;
	if (row->nodes < relay->nodes && !relay->ends &&
	    relay->newest - relay->oldest < RELAY_KEPT / 2)
		return NULL;
	row->number = relay->oldest;
	return row;
}

static void receive(struct relay *relay, struct relay_neighbour *below, MPI_Status *status)
{
	struct relay_sums *sums = relay->sample;
	int length;

	MPI_Get_count(status, MPI_BYTE, &length);
	if (!unpack_words(sums, sums_size(relay), below->bytes, (size_t)length))
		BUG("a message of a node has %d bytes that cannot be unpacked", length);
	if (sums->last)
		relay->below_left--;
	else
		relay_put(relay, sums);
	if (!sums->last)
		listen_below(relay, below);
}

static void receive_some(struct relay *relay)
{
	for (unsigned i = 0; i < relay->below_count; i++) {
		MPI_Status status;
		int came = 0;

		if (relay->below[i].request == MPI_REQUEST_NULL)
			continue;
		MPI_Test(&relay->below[i].request, &came, &status);
		if (came)
			receive(relay, &relay->below[i], &status);
	}
}

static void relay_send(struct relay *relay, const struct relay_sums *sums)
{
	text_clear(&relay->message);
	pack_words(&relay->message, sums, sums_size(relay));
	MPI_Isend(relay->message.bytes, (int)relay->message.length, MPI_BYTE, relay->above.task,
		  TAG_SUMS, relay->crew->comm.handle, &relay->sending);
}

static void send_ready(struct relay *relay)
{
	struct relay_sums *row;
	int sent = 1;

	if (relay->above.task < 0)
		return;
	MPI_Test(&relay->sending, &sent, MPI_STATUS_IGNORE);
	row = sent ? find_ready(relay) : NULL;
	if (!row)
		return;
	relay_send(relay, row);
	drop_oldest(relay);
}

static void pass_end_on(struct relay *relay)
{
	if (relay->passed_on)
		return;
	relay->passed_on = true;
	if (relay->end_ns)
		atomic_store(&counts_of_all(relay)->end_ns, relay->end_ns);
	for (unsigned i = 0; i < relay->below_count; i++)
		MPI_Send(&relay->end_ns, 1, MPI_UINT64_T, relay->below[i].task, TAG_END,
			 relay->crew->comm.handle);
}

static void poll_end(struct relay *relay)
{
	int came = 0;

	if (relay->above.request != MPI_REQUEST_NULL)
		MPI_Test(&relay->above.request, &came, MPI_STATUS_IGNORE);
	if (came || (relay->above.task < 0 && relay->end_ns))
		pass_end_on(relay);
}

void relay_poll(struct relay *relay)
{
	if (!relay->leads || !relay->crew || pthread_mutex_trylock(&relay->lock))
		return;
	if (relay->samples || relay->below_left) {
		poll_end(relay);
		receive_some(relay);
		send_ready(relay);
	}
	pthread_mutex_unlock(&relay->lock);
}

bool relay_take(struct relay *relay, struct relay_sums *sums)
{
	struct relay_sums *row;

	pthread_mutex_lock(&relay->lock);
	row = find_ready(relay);
	if (row) {
		memcpy(sums, row, sums_size(relay));
		drop_oldest(relay);
	}
	pthread_mutex_unlock(&relay->lock);
	return row;
}

void relay_end_at(struct relay *relay, uint64_t end_ns)
{
	pthread_mutex_lock(&relay->lock);
	relay->end_ns = end_ns;
	pthread_mutex_unlock(&relay->lock);
}

uint64_t relay_end(const struct relay *relay)
{
	return atomic_load_explicit(&counts_of_all(relay)->end_ns, memory_order_relaxed);
}

/* The node's last sums: those of an interval that ended meanwhile, then those of the rest. */
static void sample_rest(struct relay *relay)
{
	const uint64_t left_ns = atomic_load(&counts_of_all(relay)->left_ns);

	sample_until(relay, left_ns);
	if (left_ns > relay->sampled_ns)
		take_sample(relay, relay->sampled + 1, left_ns);
	relay->samples = false;
	relay->ends = true;
}

/* The lock is not held while this task waits, as its watchdog must go on. */
static void relay_receive_all(struct relay *relay)
{
	const uint64_t since_ns = clock_monotonic_ns();

	while (relay->below_left) {
		pthread_mutex_lock(&relay->lock);
		receive_some(relay);
		pthread_mutex_unlock(&relay->lock);
		if (relay->below_left)
			comm_rest(since_ns);
	}
}

static void send_all(struct relay *relay)
{
	struct relay_sums *row;

	MPI_Wait(&relay->sending, MPI_STATUS_IGNORE);
	if (relay->above.task < 0)
		return;
	while ((row = find_ready(relay))) {
		relay_send(relay, row);
		MPI_Wait(&relay->sending, MPI_STATUS_IGNORE);
		drop_oldest(relay);
	}
	memset(relay->sample, 0, sums_size(relay));
	relay->sample->last = 1;
	relay_send(relay, relay->sample);
	MPI_Wait(&relay->sending, MPI_STATUS_IGNORE);
}

void relay_settle(struct relay *relay)
{
	if (!relay->leads)
		return;
	pthread_mutex_lock(&relay->lock);
	sample_rest(relay);
	pthread_mutex_unlock(&relay->lock);
	relay_receive_all(relay);
	send_all(relay);
	MPI_Wait(&relay->above.request, MPI_STATUS_IGNORE);
	pass_end_on(relay);
	atomic_store(&counts_of_all(relay)->end_ns, 0);
}
