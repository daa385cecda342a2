/* Finds result files that are also test files. */
#include "page/clash.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/named_file.h"
#include "record/journal.h"

/*
 * Resolves links and dots, also for a file that does not exist; NULL: its directory does not exist.
 */
static char *resolve(const char *path)
{
	char directory[PATH_MAX], *found = realpath(path, NULL);
	const char *slash = strrchr(path, '/');
	struct text name = {0};

	if (found || !text_directory(path, directory, sizeof(directory)))
		return found;
	found = realpath(directory, NULL);
	if (!found)
		return NULL;
	text_add(&name, "%s/%s", found, slash ? slash + 1 : path);
	free(found);
	return name.bytes;
}

/*
 * True if `result` may be the file of a task or repetition, which has a number behind the name of
 * the test file.
 */
static bool is_name_of(const char *result, const char *tested)
{
	size_t length = strlen(tested);

	if (strncmp(result, tested, length))
		return false;
	for (result += length; result[0] == '.' && isdigit((unsigned char)result[1]);)
		result += 1 + strspn(result + 1, "0123456789");
	return !*result;
}

static bool is_one_file(const char *a, const char *b)
{
	struct stat first, second;

	return !stat(a, &first) && !stat(b, &second) && S_ISREG(first.st_mode) &&
	       named_file_same(&first, &second);
}

static bool is_same(const char *result, const char *tested)
{
	char *a = resolve(result), *b = resolve(tested);
	bool same = is_one_file(result, tested) || (a && b && is_name_of(a, b));

	free(a);
	free(b);
	return same;
}

static int check_plan(const struct plan *plan, const char *result, struct error *err)
{
	char path[PLAN_PATH_SIZE];

	for (uint32_t i = 0; i < plan->path_count && plan->backend->files; i++) {
		plan_base(plan, i, path);
		if (is_same(result, path))
			return error_input(err,
					   "output: %.200s would be overwritten by the test, which "
					   "writes %.200s; name another file",
					   result, path);
	}
	return 0;
}

static int clash_check_file(const struct job *job, const struct plan *plans, const char *result,
			    struct error *err)
{
	for (size_t i = 0; i < job->test_count; i++)
		if (check_plan(&plans[i], result, err))
			return -1;
	return 0;
}

int clash_check(const struct job *job, const struct plan *plans, struct error *err)
{
	const char *table = run_of(job)->task_table;

	for (size_t i = 0; i < job->output_count; i++) {
		const char *path = job->outputs[i].path;

		if (!path)
			continue;
		char *journal = journal_name(path);
		int ret = clash_check_file(job, plans, path, err);

		if (!ret && job->outputs[i].format == OUTPUT_JSON)
			ret = clash_check_file(job, plans, journal, err);
		free(journal);
		if (ret)
			return ret;
	}
	return table ? clash_check_file(job, plans, table, err) : 0;
}
