/*
 * Finds the MPI-IO implementation that serves a file, by the library's modules or the file's hints.
 */
#include "backends/common/mpi_io.h"

#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

const char *mpi_io_path(const char *path, char room[MPI_IO_SHORT])
{
	if (strlen(path) != 1)
		return path;
	snprintf(room, MPI_IO_SHORT, "./%c", *path);
	return room;
}

#define LUSTRE_MAGIC 0x0bd00bd0
#define NAME_SIZE 128

/*
 * Open MPI has several MPI-IO modules, and tells through its tool interface which are loaded, by
 * the variable io_NAME_priority of each. MPICH has one, and its tool interface (4.0) can be entered
 * once.
 */
struct modules {
	unsigned loaded;
	char names[256]; /* "ompio 30, romio321 10" */
	char best[NAME_SIZE];
	int best_priority;
};

/* "ompio" from "io_ompio_priority"; false for all other variables. */
static bool module_name(const char *variable, char *name)
{
	char rest[NAME_SIZE] = "";

	return sscanf(variable, "io_%127[a-z0-9]_%127s", name, rest) == 2 &&
	       strcmp(rest, "priority") == 0;
}

static bool read_priority(int index, int *priority)
{
	MPI_T_cvar_handle handle;
	int count, code;

	if (MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
		return false;
	code = count == 1 ? MPI_T_cvar_read(handle, priority) : -1;
	MPI_T_cvar_handle_free(&handle);
	return code == MPI_SUCCESS;
}

static void add_module(struct modules *modules, const char *name, int priority)
{
	size_t length = strlen(modules->names);

	snprintf(modules->names + length, sizeof(modules->names) - length, "%s%s %d",
		 length ? ", " : "", name, priority);
	if (!modules->loaded++ || priority > modules->best_priority) {
		strcpy(modules->best, name);
		modules->best_priority = priority;
	}
}

static void mpi_io_look_at(struct modules *modules, int index)
{
	char variable[NAME_SIZE] = "", name[NAME_SIZE];
	int name_size = sizeof(variable), text_size = 0, verbosity, binding, scope, priority;
	MPI_Datatype type;
	MPI_T_enum values;

	if (MPI_T_cvar_get_info(index, variable, &name_size, &verbosity, &type, &values, NULL,
				&text_size, &binding, &scope) == MPI_SUCCESS &&
	    type == MPI_INT && module_name(variable, name) && read_priority(index, &priority))
		add_module(modules, name, priority);
}

static bool is_open_mpi(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length;

	MPI_Get_library_version(version, &length);
	return strncmp(version, "Open MPI", 8) == 0;
}

static void find_modules(struct modules *modules)
{
	int provided, count = 0;

	if (!is_open_mpi() || MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS)
		return;
	MPI_T_cvar_get_num(&count);
	for (int i = 0; i < count; i++)
		mpi_io_look_at(modules, i);
	MPI_T_finalize();
}

static bool is_on_lustre(const char *path)
{
	struct statfs status;

	return statfs(path, &status) == 0 && status.f_type == LUSTRE_MAGIC;
}

/* ROMIO alone shows hints of its own name. */
static bool shows_romio_hints(MPI_Info effective)
{
	int count = 0;

	if (effective != MPI_INFO_NULL)
		MPI_Info_get_nkeys(effective, &count);
	for (int i = 0; i < count; i++) {
		char name[MPI_MAX_INFO_KEY + 1];

		MPI_Info_get_nthkey(effective, i, name);
		if (strncmp(name, "romio_", 6) == 0)
			return true;
	}
	return false;
}

struct settings_output {
	settings_add *add;
	struct settings_sink *sink;
};

static void add_implementation(const struct settings_output *to, const char *name, const char *how)
{
	to->add(to->sink, "mpi_io", name);
	to->add(to->sink, "mpi_io.known_by", how);
}

static void add_modules(const struct modules *modules, const char *path,
			const struct settings_output *to)
{
	char how[sizeof(modules->names) + 64];

	if (modules->loaded == 1) {
		add_implementation(to, modules->best, "the only MPI-IO module that is loaded");
		return;
	}
	snprintf(how, sizeof(how), "priority of the modules loaded: %s", modules->names);
	if (is_on_lustre(path)) {
		add_implementation(to, "not known",
				   "on Lustre Open MPI may pass over priorities: "
				   "choose one, OMPI_MCA_io=romio321");
		return;
	}
	add_implementation(to, modules->best, how);
}

void mpi_io_add_settings(MPI_Info effective, const char *path, settings_add *add,
			 struct settings_sink *sink)
{
	const struct settings_output to = {add, sink};
	struct modules modules = {0};

	find_modules(&modules);
	if (modules.loaded)
		add_modules(&modules, path, &to);
	else if (shows_romio_hints(effective))
		add_implementation(&to, "romio", "its hints, romio_*");
	else
		add_implementation(&to, "not known", "neither modules nor hints name it");
}
