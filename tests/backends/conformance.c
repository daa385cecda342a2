/*
 * The conformance suite: every backend that is built in, bare and behind a fault wrapper that does
 * nothing, does what backend.h says. Every task runs all tests in a folder of its own; what tasks
 * other than 0 print is kept in conformance.<rank>.txt in the scratch folder.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "fake.h"
#include "subject.h"

extern const struct backend template_backend;
extern const struct option_table template_options;

/* Those that are built for this suite alone. */
static const struct registration test_only[] = {
	{.name = "template", .backend = &template_backend, .options = &template_options},
	{.name = "fake", .backend = &fake_backend, .options = &fake_options},
};

struct suite {
	struct CMUnitTest *tests;
	size_t count;
};

static char *join(const char *a, const char *between, const char *b)
{
	char *joined;

	if (asprintf(&joined, "%s%s%s", a, between, b) < 0)
		abort();
	return joined;
}

static void add(struct suite *suite, const struct CMUnitTest *tests, size_t count,
		struct subject *subject)
{
	suite->tests = memory_grow(suite->tests, (suite->count + count) * sizeof(*tests));
	for (size_t i = 0; i < count; i++) {
		struct CMUnitTest *test = &suite->tests[suite->count++];

		*test = tests[i];
		test->name = join(subject->label, ": ", tests[i].name);
		test->initial_state = subject;
	}
}

static bool takes_urls(const struct backend *backend)
{
	return backend->path_is && !strncmp(backend->path_is, "a URL", strlen("a URL"));
}

/*
 * CONFORMANCE_SERVER says which URL leads to local files, "nfs://127.0.0.1?nfsport=1". Objects are
 * never local files; tests/cli/test_s3.py tests them.
 */
static bool is_testable(const struct registration *entry)
{
	const char *server = getenv("CONFORMANCE_SERVER");

	if (!entry->backend || !takes_urls(entry->backend))
		return entry->backend;
	return server && !strncmp(server, entry->name, strlen(entry->name));
}

static struct subject *labelled(const char *label, const struct registration *entry,
				const char *scratch)
{
	struct subject *subject = memory_allocate(1, sizeof(*subject));

	subject->label = label;
	subject->entry = entry;
	subject->scratch = scratch;
	subject->server = takes_urls(entry->backend) ? getenv("CONFORMANCE_SERVER") : "";
	return subject;
}

static void add_backend(struct suite *suite, const struct registration *entry, const char *scratch)
{
	struct subject *bare = labelled(entry->name, entry, scratch);
	struct subject *wrapped = labelled(join(entry->name, " ", "behind fault"), entry, scratch);

	wrapped->wrapped = true;
	add(suite, data_tests, data_test_count, bare);
	add(suite, together_tests, together_test_count, bare);
	add(suite, metadata_tests, metadata_test_count, bare);
	add(suite, queue_tests, queue_test_count, bare);
	add(suite, queued_metadata_tests, queued_metadata_test_count, bare);
	add(suite, data_tests, data_test_count, wrapped);
	add(suite, together_tests, together_test_count, wrapped);
	add(suite, metadata_tests, metadata_test_count, wrapped);
	add(suite, queue_tests, queue_test_count, wrapped);
	add(suite, queued_metadata_tests, queued_metadata_test_count, wrapped);
	add(suite, fault_tests, fault_test_count, wrapped);
}

static void add_once(struct suite *suite, const char *scratch)
{
	const struct registration *posix = registry_find("posix");

	add(suite, registry_tests, registry_test_count, labelled("registry", posix, scratch));
	add(suite, null_tests, null_test_count, labelled("null", registry_find("null"), scratch));
	add(suite, wrapper_tests, wrapper_test_count, labelled("ring", posix, scratch));
	add(suite, session_tests, session_test_count, labelled("session", posix, scratch));
	add(suite, hints_tests, hints_test_count, labelled("hints", posix, scratch));
}

static void redirect(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		abort();
	close(fd);
}

/* Where this task works, and where it prints unless it is the first. */
static const char *settle(int rank)
{
	const char *folder = getenv("TEST_TMPDIR");
	char name[40];

	folder = folder ? folder : ".";
	if (rank > 0) {
		char *output;

		snprintf(name, sizeof(name), "conformance.%d.txt", rank);
		output = join(folder, "/", name);
		redirect(output);
		free(output);
	}
	snprintf(name, sizeof(name), "scratch.%d", rank);
	return join(folder, "/", name);
}

int main(int argc, char **argv)
{
	static struct suite suite; /* as long as the process: nothing of it is freed */
	const char *scratch;
	int rank, failed, failed_anywhere;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	scratch = settle(rank);
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	for (size_t i = 0; i < registry_count; i++)
		if (is_testable(&registry[i]))
			add_backend(&suite, &registry[i], scratch);
	for (size_t i = 0; i < LENGTH_OF(test_only); i++)
		add_backend(&suite, &test_only[i], scratch);
	add_once(&suite, scratch);
	failed = _cmocka_run_group_tests("backends", suite.tests, suite.count, NULL, NULL);
	fflush(NULL);
	MPI_Allreduce(&failed, &failed_anywhere, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0 && failed_anywhere > failed)
		print_error("other tasks: %d failed, see %s*\n", failed_anywhere - failed,
			    "conformance.RANK.txt");
	MPI_Finalize();
	return rank == 0 && failed_anywhere ? 1 : 0;
}
