"""fio's engines that iorx does not have, and the keys that belong to one engine alone."""

# What each engine works on, for those that move no data of files or devices by read and write.
WITHOUT_FILES = {
    "cpuio": "the processor", "exec": "a program", "net": "the network", "netsplice": "the network", "rdma": "the network",
    "librpma_apm_client": "remote memory", "librpma_apm_server": "remote memory", "librpma_gpspm_client": "remote memory",
    "librpma_gpspm_server": "remote memory", "rados": "objects of Ceph", "rbd": "images of Ceph", "http": "objects behind HTTP",
    "nbd": "a network block device", "nfs": "an NFS server without mounting it", "libhdfs": "HDFS",
    "gfapi": "GlusterFS without mounting it", "gfapi_async": "GlusterFS without mounting it",
    "dfs": "DAOS without mounting it", "ime_psync": "IME", "ime_psyncv": "IME",
    "ime_aio": "IME", "libblkio": "libblkio", "xnvme": "xNVMe", "io_uring_cmd": "NVMe commands", "sg": "SCSI commands",
    "spdk": "SPDK", "external": "a library of its own", "mtd": "flash memory",
}

_NET = "hostname port protocol proto nodelay listen pingpong interface ttl window_size mss"
_RPMA = "server_ip port direct_write_to_pmem busy_wait_polling"
_PASS_THROUGH = "readfua writefua write_mode verify_mode fdp fdp_pli dataplacement plid_select plids dp_scheme md_per_io_size " \
    "pi_act pi_chk apptag apptag_mask deac"

# The keys of each engine, without those of io_uring and libaio, which fio_keys has.
KEYS = {engine: set(keys.split()) for engine, keys in {
    "cpuio": "cpuload cpuchunks cpumode exit_on_io_done", "exec": "program arguments grace_time std_redirect",
    "net": _NET, "netsplice": _NET, "rdma": "hostname port bindname verb",
    "librpma_apm_client": _RPMA, "librpma_apm_server": _RPMA, "librpma_gpspm_client": _RPMA, "librpma_gpspm_server": _RPMA,
    "rados": "clustername pool clientname conf busy_poll touch_objects", "rbd": "clustername rbdname pool clientname busy_poll",
    "http": "http_host http_user http_pass https http_mode http_s3_region http_s3_key http_s3_keyid http_s3_security_token "
            "http_s3_sse_customer_key http_s3_sse_customer_algorithm http_s3_storage_class http_swift_auth_token http_verbose "
            "http_object_mode",
    "nbd": "uri", "nfs": "nfs_url", "libhdfs": "hostname namenode port hdfsdirectory chunk_size single_instance hdfs_use_direct",
    "gfapi": "volume brick single-instance", "gfapi_async": "volume brick single-instance",
    "dfs": "pool cont chunk_size object_class svcl", "libcufile": "gpu_dev_ids cuda_io",
    "libblkio": "libblkio_driver libblkio_path libblkio_pre_connect_props libblkio_num_entries libblkio_queue_size "
                "libblkio_pre_start_props libblkio_vectored libblkio_write_zeroes_on_trim libblkio_wait_mode "
                "libblkio_force_enable_completion_eventfd",
    "xnvme": "xnvme_async xnvme_sync xnvme_admin xnvme_dev_nsid xnvme_dev_subnqn xnvme_mem xnvme_iovec xnvme_be " + _PASS_THROUGH,
    "io_uring_cmd": "cmd_type " + _PASS_THROUGH, "sg": "readfua writefua sg_write_mode stream_id",
    "spdk": "spdk_conf spdk_json_conf spdk_core_mask spdk_mem spdk_rpc_listen_addr", "mtd": "skip_bad",
    "e4defrag": "donorname inplace", "filestat": "stat_type",
}.items()}

OF_ONE_ENGINE = set().union(*KEYS.values())


def engine_of(value):
    """The name of an engine without what follows: external:/path/spdk_nvme is spdk."""
    name = value.strip()
    if name.startswith("external:"):
        return "spdk" if "spdk" in name else "external"
    return name.partition(":")[0]


def engines_of(key):
    """The engines that have this key, as a text."""
    return " and ".join(engine for engine, keys in KEYS.items() if key in keys)


def takes(engine, key):
    return key in KEYS.get(engine, ())
