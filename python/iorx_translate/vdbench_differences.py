"""Differences of meaning between Vdbench and iorx; the guide repeats these sentences."""

DIFFERENCES = {
    "files": "The file of an sd has the name of the lun and the number of a task behind it, and is laid out by iorx.",
    "queue": "The threads of an sd are transfers in flight of one task (queue_depth): the same requests reach the file.",
    "nodes": "Hosts are nodes in their order, whose tasks follow each other. --fold-hosts=N deals the hosts to N nodes.",
    "some nodes": "An rd on some of the hosts runs on the first nodes of the job.",
    "whole": "A file is cut to whole transfers of all loads that use it, in powers of two, and a large one to equal parts for the "
             "tasks that share it; Vdbench leaves out what is over.",
    "first interval": "Without warmup the first interval is no part of the totals: it is warmup_time here, and duration "
                      "is the rest of elapsed.",
    "to the end": "A run to the end of the files (seekpct=eof) has no warm-up, so that the whole pass is measured.",
    "there": "Files that are there are used as they are, as in Vdbench. iorx writes into files that it did not make only with "
             "--allow-overwrite on its command line, and refuses those that are shorter than size.",
    "filled": "A file that is not there is laid out before a run to its end writes it, as Vdbench formats it.",
    "merged": "Workloads on the same sds are one load, in which their transfers mix by their shares: the result has "
              "reads and writes apart, and not workloads.",
    "long": "More luns than a list of paths can name are several loads at the same time, with equal shares for each lun.",
    "beside": "Workloads of another seekpct, range, stride or hit percentage on the same sds are loads of their own on the "
              "same files, which share the threads; a test before lays the files out.",
    "even": "iorate=max without skew lets each workload run as fast as it can; those on the same sds have equal shares.",
    "shared": "An sd that several hosts use has its number of threads on each of them.",
    "shared files": "Several sds that several hosts share, or of one host with luns that are there, are files of one task on each "
                    "host. Each file has the threads of its sd in flight (depth_scope = file); at a rate the task has those of all "
                    "together.",
    "devices": "The devices of a host are files of one task, with threads in flight as above. iorx writes a device only with "
               "--allow-overwrite on its command line.",
    "one host": "Sequential transfers of several hosts on one sd come from the first of them, as Vdbench keeps them in "
                "one JVM.",
    "anywhere": "seekpct=seqnz begins at a random block; a load begins at the first one.",
    "parts": "Ranges and hit areas are regions of a file or zones of a distribution, rounded to whole transfers.",
    "hotband": "hotband favours the low addresses of its band by a law that the manual shows in a picture only; here 80 % of the "
               "accesses go to the first 20 % of the band, 80 % of these to the first 20 % of that part, and so on.",
    "maxdata": "maxdata ends a run at the end of an interval; byte_limit ends each task after an equal part of it, and "
               "counts the warm-up too.",
    "fsync": "openflags=fsync syncs when a file is closed; a load does not.",
    "rounded": "Points of a curve are exact shares; Vdbench rounds rates up to 100, and to 10 below 1000.",
    "arrivals": "Each task has its own arrivals, at an equal share of the rate.",
    "format": "Files that iorx laid out earlier and that fit are used again, whatever format= says. iorx-translate --run makes the last "
              "folder of an anchor, and with create_anchors=yes all of it, as Vdbench does; for a job that is only printed it must be there.",
    "only": "An rd that only formats or cleans is left out: the files are laid out before the load that needs them, and "
            "stay.",
    "trees": "The files of an fsd lie in its anchor and not in a tree; each thread is a task with its own part of them.",
    "open": "Files stay open for the whole load; Vdbench opens and closes a file for each visit.",
    "skewed": "fileselect=poisson favours some files by a law that the manual does not define; here 20 % of the files of a task get "
              "80 % of the choices, and so on among these.",
    "each transfer": "Random transfers choose a file each; Vdbench stays in a file for as many bytes as it has.",
    "queued": "Threads that share small files at random places (fileio=(random,shared)) are transfers in flight of one task on each "
              "node, as they cannot lay out equal parts of the files.",
    "sizes": "Files of several sizes are loads at the same time, each with its part of the rate and of the threads, at least one.",
    "mean size": "sizes=(n,0) makes all files n bytes long; in Vdbench n is their mean.",
    "equal files": "Each task has as many files as any other; some files of the tree are left over.",
    "items": "Operations on names act on small files of each task, in directories with as many files as those of the tree, "
             "which are made before the load and removed after it; setattr is chmod, open closes the file too. Beside "
             "reads and writes they are no larger than a transfer.",
    "removals": "delete and rmdir of an rd of their own are a metadata test, which creates the names in a phase with a row of its "
                "own and then removes each once, in a tree of each task, however long elapsed is.",
    "closes": "close of an rd of its own is open here, which closes the file too.",
    "creates": "create and mkdir go on until the load ends; Vdbench stops when the tree is complete.",
    "threads": "Threads are shared out among fsds, hosts and operations in whole numbers, at least one each, as in Vdbench.",
    "uncontrolled": "fwdrate=max keeps fwds at equal rates in Vdbench; here each goes as fast as it can.",
}
