"""fio's keys: their other names, which are flags, which change nothing here and which are refused, and why."""

from .fio_engines import OF_ONE_ENGINE

ALIASES = {
    "readwrite": "rw", "blocksize": "bs", "ba": "blockalign", "blocksize_range": "bsrange",
    "blocksize_unaligned": "bs_unaligned", "iodepth_batch_submit": "iodepth_batch",
    "iodepth_batch_complete": "iodepth_batch_complete_min", "io_limit": "io_size", "fill_fs": "fill_device",
    "file_size": "filesize", "fileoffset": "offset", "nr_files": "nrfiles", "timeout": "runtime", "iomem": "mem",
    "ratemin": "rate_min", "ratecycle": "rate_cycle", "wait_for_previous": "stonewall", "buffered": "direct",
    "disable_bw": "disable_bw_measurement", "ss": "steadystate", "ss_dur": "steadystate_duration",
    "ss_ramp": "steadystate_ramp_time", "mem_align": "iomem_align", "threads": "thread",
    "dir": "directory",
}

# "empty or boolean value": on the command line they take a value only behind "=".
FLAGS = {"bs_unaligned", "norandommap", "time_based", "verify_only", "exitall", "exitall_on_error", "stonewall",
         "new_group", "thread", "group_reporting", "zero_buffers", "refill_buffers", "hipri", "fixedbufs",
         "registerfiles", "sqthread_poll", "userspace_reap", "nonvectored"}

# Keys whose every value changes nothing here.
IGNORED = set("""
    description randrepeat allrandrepeat random_generator group_reporting new_group thread percentile_list
    clat_percentiles lat_percentiles slat_percentiles gtod_reduce gtod_cpu clocksource disable_lat disable_clat
    disable_slat disable_bw_measurement disk_util stats significant_figures unit_base
    unified_rw_reporting per_job_logs write_bw_log write_lat_log write_iops_log write_hist_log bwavgtime iopsavgtime
    log_entries log_avg_msec log_hist_msec log_hist_coarseness log_max_value log_offset log_prio log_compression
    log_compression_cpus log_store_compressed log_unix_epoch log_alternate_epoch log_alternate_epoch_clock_id
    block_error_percentiles error_dump create_serialize create_fsync openfiles fadvise_hint mem iomem_align scramble_buffers
    refill_buffers rate_cycle hugepage-size verify_dump verify_async verify_state_save verify_state_load
    verify_fatal verify_interval verify_offset verify_pattern exitall_on_error userspace_reap fixedbufs
    registerfiles nonvectored io_submit_mode latency_percentile overwrite
    allow_mounted_write buffer_compress_chunk 
    experimental_verify cgroup_nodelete exit_what read_iolog_chunked
""".split())

# Keys of fio after 3.33 that say what it logs, how often it looks at its rate, or what its headers hold.
IGNORED |= set("log_window_value log_issue_time steadystate_check_interval verify_write_sequence verify_header_seed".split())

_MERGE = "iorx-translate trace LOG… --output=FILE makes one native trace of several logs, and iorx load --trace=FILE replays it"

# Keys that are refused, whatever their value (fio's default for them is left alone: see DEFAULTS).
REFUSED = {
    "wait_for": "iorx starts the tests of a set together; use stonewall, which makes the next step",
    "latency_target": "iorx searches a rate within a response time by search = \"p99<2ms\", not a queue depth",
    "latency_window": "it belongs to latency_target, which iorx does not have",
    "latency_run": "it belongs to latency_target, which iorx does not have",
    "max_latency": "iorx ends no job because of a slow operation; the result names the slowest",
    "rate_min": "iorx ends no job because of a low rate; verdict M5 says when a rate was missed",
    "rate_iops_min": "iorx ends no job because of a low rate; verdict M5 says when a rate was missed",
    "flow": "iorx has no flow between jobs; give each job a rate",
    "flow_id": "iorx has no flow between jobs; give each job a rate",
    "flow_sleep": "iorx has no flow between jobs; give each job a rate",
    "write_iolog": "iorx has tables of operations (operation_tables), of which iorx-convert --to=iolog makes logs of fio",
    "exec_prerun": "a job file starts no commands; run them before iorx",
    "exec_postrun": "a job file starts no commands; run them after iorx",
    "ioscheduler": "iorx changes no device; set it before the run",
    "nice": "iorx keeps the priority that it is started with; use nice mpiexec",
    "prio": "iorx keeps the priority that it is started with; use ionice",
    "prioclass": "iorx keeps the priority that it is started with; use ionice",
    "cgroup": "iorx runs where it is started; start it in the cgroup",
    "cgroup_weight": "iorx runs where it is started; start it in the cgroup",
    "uid": "iorx runs as the user who starts it", "gid": "iorx runs as the user who starts it",
    "profile": "iorx knows none of fio's profiles; write the jobs out",
    "lockmem": "use memory_per_node of iorx, which occupies memory on each node",
    "serialize_overlap": "iorx does not watch for requests that overlap",
    "offset_align": "iorx begins at offset 0 of a file",
    "file_append": "iorx writes whole files", "fill_device": "iorx wants a size; give one",
    "trim_percentage": "iorx does not trim", "sync_file_range": "iorx has fsync and fdatasync only",
    "write_barrier": "iorx has fsync and fdatasync only", "atomic": "iorx does no atomic writes",
    "write_hint": "iorx gives no hints on the lifetime of data", 
    "verify_only": "read with check_read = 1 what an earlier job of iorx wrote",
    "hipri": "set uring.iopoll = 1 by hand on a device that polls",
    "sqthread_poll": "set uring.sqpoll = 1 by hand", "sqthread_poll_cpu": "set uring.sqpoll_cpu by hand",
    "exitall": "iorx ends no test because another one has ended; give runtime",
    "thinktime_spin": "a task sleeps while it thinks", "thinktime_iotime": "iorx counts operations between pauses",
    "dedupe_mode": "iorx repeats blocks one after the other",
    "dedupe_global": "iorx repeats blocks within a file", "dedupe_working_set_percentage":
    "iorx repeats blocks one after the other",
    "merge_blktrace_file": _MERGE, "zonemode": "iorx knows no zoned devices",
    "ignore_error": "iorx stops at the first error of a data operation",
    "unique_filename": "each node of iorx sees the same files",
    "opendir": "write the files out by filename", "unlink_each_loop": "iorx removes no files between passes",
    "thinkcycles": "a task sleeps while it thinks",
    "num_range": "iorx does not trim", "sprandom": "iorx prepares no device; write it once in a job before",
    "bs_unaligned": "iorx draws sizes that are multiples of the smallest",
}

# Keys that are left out, and the sentence of fio.DIFFERENCES that says so.
LEFT_OUT = dict.fromkeys(("cpus_allowed", "cpumask", "cpus_allowed_policy", "numa_cpu_nodes", "numa_mem_policy"), "binding")
LEFT_OUT["continue_on_error"] = "errors"

# Refused keys at these values are fio's defaults and change nothing.
DEFAULTS = {
    "exitall": "0", "thinktime_spin": "0", "serialize_overlap": "0", "file_append": "0", "fill_device": "0",
    "trim_percentage": "0", "atomic": "0", "hipri": "0",
    "sqthread_poll": "0", "nice": "0", "dedupe_global": "0", "dedupe_mode": "repeat", "zonemode": "none",
    "unique_filename": "1", "bs_unaligned": "0", "unlink_each_loop": "0",
    "write_hint": "none", "latency_run": "0", "max_latency": "0", "offset_align": "0", "verify_only": "0",
    "write_barrier": "0", "profile": "none", "rate_min": "0", "rate_iops_min": "0", "flow": "0", "nowait": "0", "uncached": "0",
    "force_async": "0", "thp": "0", "cmdprio_percentage": "0",
}

# Keys that mean something beside read_iolog alone.
OF_REPLAYS = set("replay_no_stall replay_redirect replay_scale replay_align replay_time_scale replay_skip".split())

# Keys that the translation itself takes.
TAKEN = set("""
    name rw bs bsrange bssplit blockalign size io_size filesize nrfiles filename directory filename_format
    file_service_type offset offset_increment number_ios loops random_distribution norandommap randseed ioengine
    iodepth direct sync fsync fdatasync end_fsync fsync_on_close fallocate invalidate pre_read unlink numjobs
    lockfile steadystate_ramp_time stonewall runtime time_based ramp_time rate rate_iops rate_process
    rate_ignore_thinktime thinktime thinktime_blocks buffer_pattern
    thinktime_blocks_type steadystate steadystate_duration buffer_compress_percentage dedupe_percentage zero_buffers
    iodepth_batch iodepth_low iodepth_batch_complete_max iodepth_batch_complete_min kb_base create_only
    verify do_verify verify_backlog verify_backlog_batch create_on_open rwmixread rwmixwrite
    percentage_random rw_sequencer startdelay allow_file_create read_iolog
""".split())

# fio 3.33 knows these too; they belong to refused engines or to features that stand above.
OTHERS = set("""
    trim_verify_zero trim_backlog trim_backlog_batch merge_blktrace_scalars merge_blktrace_iters zonesize zonecapacity
    zonerange zoneskip read_beyond_wp max_open_zones job_max_open_zones ignore_zone_limits zone_reset_threshold
    zone_reset_frequency cmdprio_percentage cmdprio_class cmdprio cmdprio_bssplit nowait uncached force_async
    cmd_type thp hipri_percentage stat_type
""".split())

KNOWN = IGNORED | OF_REPLAYS | set(REFUSED) | set(LEFT_OUT) | TAKEN | OTHERS | OF_ONE_ENGINE

# Options of the program that are no keys of a job: (takes the next word, why it is refused).
PROGRAM_OPTIONS = {name: (takes, "") for name, takes in {
    "output": True, "output-format": True, "terse-version": True, "minimal": False, "append-terse": False,
    "eta": True, "eta-newline": True, "eta-interval": True, "status-interval": True, "bandwidth-log": False,
    "latency-log": False, "readonly": False, "section": True, "alloc-size": True, "warnings-fatal": False,
    "max-jobs": True, "aux-path": True, "debug": True, "parse-only": False, "idle-prof": True,
    "inflate-log": True, "thread": False, "cpuclock-test": False}.items() if name != "thread"}
PROGRAM_OPTIONS.update({
    "client": (True, "start iorx on the machines by the launcher, as by mpiexec --hostfile"),
    "server": (False, "iorx needs no server; the launcher starts it on all machines"),
    "remote-config": (True, "give the job file itself"),
    "daemonize": (True, "iorx runs in the foreground"),
    "trigger": (True, "iorx starts no commands"), "trigger-file": (True, "iorx starts no commands"),
    "trigger-timeout": (True, "iorx starts no commands"), "trigger-remote": (True, "iorx starts no commands"),
    "profile": (True, "iorx knows none of fio's profiles; write the jobs out"),
    "showcmd": (False, "this prints no job of fio"), "cmdhelp": (False, "ask fio itself"),
    "enghelp": (False, "ask fio itself"), "help": (False, "ask fio itself, or iorx-translate --help"),
    "version": (False, "ask fio itself"), "merge-blktrace-only": (False, _MERGE),
})
