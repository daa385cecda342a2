/*
 * Results on their way to task 0 of the job. The first task of each member of a set judges its
 * phases itself, and only task 0 reports.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/pack.h"
#include "run/state.h"

enum { WORD_SIZE = 40 };

/* A verdict, with the texts that it points to. */
struct packed_verdict {
	struct verdict verdict;
	char id[8];
	char names[VERDICT_EVIDENCE][WORD_SIZE];
};

/* One result; behind it come the verdicts, the settings and the packed measure. */
struct letter {
	uint64_t size;			      /* of the letter with all that is behind it */
	uint64_t number;		      /* of the test */
	uint64_t verdicts, settings, measure; /* their number, and lengths in bytes */
	uint64_t measure_size;		      /* of the measure when unpacked; 0: none */
	struct phase_result result;	      /* without what it points to */
	struct slow slow;
	bool has_slow;
};

static void pack_verdicts(struct text *news, const struct verdict *verdicts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct packed_verdict packed = {.verdict = verdicts[i]};

		strncpy(packed.id, verdicts[i].id, sizeof(packed.id) - 1);
		for (unsigned k = 0; k < verdicts[i].evidence_count; k++)
			strncpy(packed.names[k], verdicts[i].evidence[k].name, WORD_SIZE - 1);
		text_add_bytes(news, &packed, sizeof(packed));
	}
}

static void pack(struct text *news, unsigned number, const struct phase_result *result,
		 const struct verdict *verdicts, size_t count)
{
	struct text measure = {0};
	struct letter *letter = memory_allocate(1, sizeof(*letter));

	if (result->measure)
		pack_words(&measure, result->measure, result->measure->size);
	*letter = (struct letter){
		.number = number,
		.verdicts = count,
		.settings = result->settings ? strlen(result->settings) + 1 : 0,
		.measure = measure.length,
		.measure_size = result->measure ? result->measure->size : 0,
		.result = *result,
		.has_slow = result->slow,
	};
	if (result->slow)
		letter->slow = *result->slow;
	letter->size = sizeof(*letter) + count * sizeof(struct packed_verdict) + letter->settings +
		       letter->measure;
	text_add_bytes(news, letter, sizeof(*letter));
	pack_verdicts(news, verdicts, count);
	if (letter->settings)
		text_add_bytes(news, result->settings, letter->settings);
	if (measure.length)
		text_add_bytes(news, measure.bytes, measure.length);
	text_release(&measure);
	free(letter);
}

void publish_phase(struct test_run *run, const struct phase_result *result,
		   const struct verdict *verdicts, size_t count)
{
	if (run->news)
		pack(run->news, run->number, result, verdicts, count);
	else
		report_phase(run->runner->report, &run->result, result, verdicts, count);
}

/* A text that lives as long as the words, of which there are some dozens. */
static const char *keep_word(struct words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->texts[i], text))
			return words->texts[i];
	words->texts = memory_grow(words->texts, (words->count + 1) * sizeof(*words->texts));
	words->texts[words->count] = text_copy(text);
	return words->texts[words->count++];
}

void words_release(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->texts[i]);
	free(words->texts);
	*words = (struct words){0};
}

static void unpack_verdicts(const char *bytes, struct words *words, struct verdict *verdicts,
			    size_t count)
{
	struct packed_verdict packed;

	for (size_t i = 0; i < count; i++) {
		memcpy(&packed, bytes + i * sizeof(packed), sizeof(packed));
		verdicts[i] = packed.verdict;
		verdicts[i].id = keep_word(words, packed.id);
		for (unsigned k = 0; k < verdicts[i].evidence_count; k++)
			verdicts[i].evidence[k].name = keep_word(words, packed.names[k]);
	}
}

/* Points the result to what this task has of it. */
static void restore(struct letter *letter, const struct test_run *member, const char *settings,
		    struct measure *measure)
{
	const char *const *methods = option_find(&test_options, "cold")->choices;
	struct phase_result *result = &letter->result;

	result->measure = measure;
	result->settings = letter->settings ? settings : NULL;
	result->cold_method = result->cold ? methods[member->test->cold] : NULL;
	result->slow = letter->has_slow ? &letter->slow : NULL;
	result->outliers = NULL;
}

static void read_letter(struct letter *letter, const char *behind, struct test_run *member,
			struct words *words)
{
	struct verdict verdicts[VERDICTS];
	struct measure *measure = NULL;
	const char *settings = behind + letter->verdicts * sizeof(struct packed_verdict);

	unpack_verdicts(behind, words, verdicts, letter->verdicts);
	if (letter->measure_size) {
		measure = memory_allocate(1, letter->measure_size);
		if (!unpack_words(measure, letter->measure_size, settings + letter->settings,
				  letter->measure))
			BUG("the measure of test %u cannot be unpacked", member->number);
		counters_merge(&member->result.counters, &measure->counters);
		counters_merge(&member->result.counters, &measure->prefill);
	}
	restore(letter, member, settings, measure);
	report_phase(member->runner->report, &member->result, &letter->result, verdicts,
		     letter->verdicts);
	test_result_add(&member->result, &letter->result);
	free(measure);
}

static void append(void *context, struct text *mine, const void *theirs, size_t length)
{
	(void)context;
	text_add_bytes(mine, theirs, length);
}

void news_deliver(struct runner *runner, struct text *news, struct test_run *members,
		  unsigned first, struct words *words, const struct idle *idle)
{
	struct letter *letter = memory_allocate(1, sizeof(*letter));

	comm_fold(&runner->world->all, news, append, NULL, idle);
	for (size_t at = 0; leads(runner) && at < news->length; at += letter->size) {
		memcpy(letter, news->bytes + at, sizeof(*letter));
		read_letter(letter, news->bytes + at + sizeof(*letter),
			    &members[letter->number - first], words);
	}
	text_clear(news);
	free(letter);
}
