/* Which environments say that a launcher of another MPI started several jobs of one task. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "comm/launcher.h"
#include "config.h"

static const char *const variables[] = {
	"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",	"PMIX_RANK",
	"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_PROCID",
};

static int clear(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		unsetenv(variables[i]);
	return 0;
}

static void assert_taken(int tasks)
{
	struct error err = {0};

	assert_int_equal(launcher_check_tasks(tasks, "an MPI", &err), 0);
	assert_int_equal(err.kind, ERROR_NONE);
}

static void assert_refused(const char *cause)
{
	struct error err = {0};

	assert_int_equal(launcher_check_tasks(1, "an MPI", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_memory_equal(err.text, cause, strlen(cause));
	assert_non_null(strstr(err.text, "--allow-separate-jobs"));
	assert_taken(4);
}

static void one_task_without_a_launcher_is_taken(void **state)
{
	(void)state;
	assert_taken(1);
}

static void each_launcher_that_started_several_is_named(void **state)
{
	(void)state;
	setenv("PMI_SIZE", "4", 1);
	assert_refused("PMI_SIZE=4: ");
	clear(NULL);
	setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
	assert_refused("OMPI_COMM_WORLD_SIZE=2: ");
	clear(NULL);
	setenv("SLURM_STEP_NUM_TASKS", "8", 1);
	assert_refused("SLURM_STEP_NUM_TASKS=8: ");
	clear(NULL);
	setenv("PMIX_RANK", "3", 1);
	assert_refused("PMIX_RANK=3: ");
}

static void a_step_of_one_task_is_taken(void **state)
{
	(void)state;
	setenv("SLURM_STEP_NUM_TASKS", "1", 1);
	setenv("PMI_SIZE", "1", 1);
	setenv("PMIX_RANK", "0", 1);
	assert_taken(1);
}

static void a_batch_script_is_no_step(void **state)
{
	(void)state;
	setenv("SLURM_NTASKS", "4", 1);
	setenv("SLURM_PROCID", "0", 1);
	assert_taken(1);
}

static void a_launcher_within_a_step_counts_alone(void **state)
{
	(void)state;
	/* mpirun's daemon on another node is a task of such a step. */
	setenv("SLURM_STEP_NUM_TASKS", "3", 1);
	setenv("PMI_SIZE", "3", 1);
	setenv("PMIX_RANK", "0", 1);
	setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
	assert_taken(1);
}

static void a_library_of_another_mpi_is_refused(void **state)
{
	static const char *const libraries[] = {"Open MPI v4.1.4", "MPICH Version: 4.0.2"};
	bool is_open_mpi = !strcmp(MPI_NAME, "Open MPI");
	struct error err = {0};

	(void)state;
	if (!is_open_mpi && strcmp(MPI_NAME, "MPICH")) {
		print_message("needs Open MPI or MPICH\n");
		skip();
	}
	assert_int_equal(launcher_check_library(libraries[!is_open_mpi], &err), 0);
	assert_int_equal(launcher_check_library(libraries[is_open_mpi], &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, MPI_NAME));
	assert_non_null(strstr(err.text, libraries[is_open_mpi]));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, clear, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_task_without_a_launcher_is_taken),
		TEST(each_launcher_that_started_several_is_named),
		TEST(a_step_of_one_task_is_taken),
		TEST(a_batch_script_is_no_step),
		TEST(a_launcher_within_a_step_counts_alone),
		TEST(a_library_of_another_mpi_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
