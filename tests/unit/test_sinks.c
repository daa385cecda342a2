/* The live line where nobody reads: it is dropped, and nobody waits. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "page/sinks.h"

enum { LONGEST_SECONDS = 20 }; /* then SIGALRM ends the test: it waits for ever */

struct report_scene {
	struct sinks sinks;
	int reader, writer;
};

static void start(struct report_scene *scene)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	scene->reader = ends[0];
	scene->writer = ends[1];
	scene->sinks = (struct sinks){.list[SINK_OUT] = {.file = fdopen(ends[1], "w"),
							 .path = "standard output"},
				      .lock = PTHREAD_MUTEX_INITIALIZER};
	alarm(LONGEST_SECONDS);
}

static void end(struct report_scene *scene)
{
	alarm(0);
	close(scene->reader);
	fclose(scene->sinks.list[SINK_OUT].file);
}

static struct text words(const char *bytes)
{
	return (struct text){.bytes = (char *)(uintptr_t)bytes, .length = strlen(bytes)};
}

/* As Ctrl-S does to a terminal. */
static void stop_reading(const struct report_scene *scene)
{
	static const char block[4096];

	fcntl(scene->writer, F_SETFL, O_NONBLOCK);
	while (write(scene->writer, block, sizeof(block)) > 0)
		;
	fcntl(scene->writer, F_SETFL, 0);
}

static void drain(const struct report_scene *scene)
{
	char bytes[4096];

	fcntl(scene->reader, F_SETFL, O_NONBLOCK);
	while (read(scene->reader, bytes, sizeof(bytes)) > 0)
		;
}

static void assert_read(const struct report_scene *scene, const char *wanted)
{
	char bytes[256] = "";

	fcntl(scene->reader, F_SETFL, O_NONBLOCK);
	if (read(scene->reader, bytes, sizeof(bytes) - 1) < 0)
		*bytes = '\0';
	assert_string_equal(bytes, wanted);
}

static void a_line_that_nobody_reads_is_dropped(void **state)
{
	struct report_scene scene;
	const struct text line = words("write 1/1  50 %"), none = words("");

	(void)state;
	start(&scene);
	sinks_live(&scene.sinks, &line);
	assert_read(&scene, "write 1/1  50 %");
	stop_reading(&scene);
	sinks_live(&scene.sinks, &line);
	sinks_live(&scene.sinks, &none);
	drain(&scene);
	assert_read(&scene, "");
	/* The old one is still taken away. */
	sinks_live(&scene.sinks, &none);
	assert_read(&scene, "\r\033[K");
	end(&scene);
}

static void a_line_stays_below_pages_until_the_end(void **state)
{
	struct report_scene scene;
	const struct text line = words("write 50 %"), page = words("a row\n");

	(void)state;
	start(&scene);
	sinks_print(&scene.sinks, &page);
	sinks_live(&scene.sinks, &line);
	sinks_print(&scene.sinks, &page);
	assert_read(&scene, "a row\nwrite 50 %\r\033[Ka row\nwrite 50 %");
	assert_int_equal(sinks_close(&scene.sinks), 0);
	assert_read(&scene, "\r\033[K");
	end(&scene);
}

static void a_line_does_not_wait_for_a_page(void **state)
{
	struct report_scene scene;
	const struct text line = words("write 1/1  50 %");

	(void)state;
	start(&scene);
	pthread_mutex_lock(&scene.sinks.lock);
	sinks_live(&scene.sinks, &line);
	pthread_mutex_unlock(&scene.sinks.lock);
	assert_read(&scene, "");
	end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_that_nobody_reads_is_dropped),
		cmocka_unit_test(a_line_does_not_wait_for_a_page),
		cmocka_unit_test(a_line_stays_below_pages_until_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
