# bash completion for iorx; made from its options by build-aux/option-documents.py
_iorx()
{
	local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words=
	if [ "$current" = = ]; then
		current=
	elif [ "$option" = = ]; then
		option=${COMP_WORDS[COMP_CWORD-2]}
	fi
	case $option in
	-a | --api) words="posix null mpiio hdf5 pnetcdf mmap uring libaio" ;;
	-o | --test-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--placement) words="first packed spread" ;;
	--scaling) words="weak strong" ;;
	--semantics) words="iorx ior" ;;
	--status-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--cold) words="none fadvise drop_caches command" ;;
	-l | --content) words="stamped random zeros file ior offset" ;;
	--content-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
	-f | --script) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--format) words="text ior mdtest mdtest-colon" ;;
	--output) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--summary-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--summary-format) words="default JSON CSV" ;;
	--progress) words="auto on off" ;;
	--task-table) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--clock) words="auto tsc monotonic" ;;
	--limits) words="given off" ;;
	--site-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--fault.operation) words="none any start stop open close sync size truncate transfer read write create mknod stat open_close remove rename mkdir rmdir list access chmod" ;;
	--fault.kind) words="fail stall short corrupt lose crash stop" ;;
	-U | --mpiio.hints-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--hdf5.element-type) words="byte int16 int32 int64 float double" ;;
	--hdf5.filter) words="none deflate shuffle+deflate fletcher32" ;;
	--hdf5.libver) words="earliest v18 v110 v112 v114 latest" ;;
	-U | --hdf5.hints-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--pnetcdf.format) words="cdf1 cdf2 cdf5" ;;
	-U | --pnetcdf.hints-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--mmap.madvise) words="normal sequential random willneed dontneed pattern" ;;
	--find-newer) COMPREPLY=($(compgen -f -- "$current")); return ;;
	--names) words="full relative" ;;
	--hot-blocks) words="same own" ;;
	--sync) words="none dsync sync" ;;
	--lock) words="none shared exclusive" ;;
	--rate-scope) words="task node test" ;;
	--arrival) words="closed even poisson uniform" ;;
	--on-late) words="queue skip" ;;
	--file-scope) words="task node test" ;;
	--depth-scope) words="task file" ;;
	--layout) words="write none" ;;
	esac
	local flags="--api= --test-file= --block-size= --transfer-size= --segment-count= --write-file --read-file --file-per-proc --unique-dir --multi-file --name= --alone --num-tasks= --placement= --scaling= --repetitions= --precision= --max-repetitions= --warmup= --budget= --node-budget= --num-nodes= --num-tasks-on-node-0= --semantics= --collective --strided --queue-depth= --queue-batch= --random-offset --random-offset-seed= --random-prefill= --fsync --fsync-per-write --reorder-tasks --task-per-node-offset= --reorder-tasks-random --reorder-random-seed= --check-write --check-read --intra-test-barriers --memory-per-node= --memory-per-task= --inter-test-delay= --inter-io-delay= --single-xfer-attempt --stonewall= --wear-out --wear-out-iterations= --wear-out-limit= --status-file= --duration= --min-time-duration= --max-time-duration= --cold= --cold-command= --content= --content-compress= --content-dedup= --content-dedup-block= --content-file= --content-seed= --keep-file --keep-file-with-error --use-existing-test-file --dual-mount --replace --outlier-threshold= --ref-num= --script= --set= --verbose --format= --output= --summary-file= --summary-format= --progress= --task-table= --operation-tables= --dry-run --show-plan --force --strict --warning-as-errors --allow-commands --allow-overwrite --allow-separate-jobs --deadline= --hang-after= --clock= --limits= --limit.network= --limit.server= --limit.servers= --limit.device= --limit.devices= --site-file= --help --version --list-backends --finish= --posix.direct --null.delay-create= --null.delay-close= --null.delay-sync= --null.delay-xfer= --null.delay-only-rank0 --fault.operation= --fault.kind= --fault.tasks= --fault.after= --fault.count= --fault.error= --fault.stall= --mpiio.use-file-view --mpiio.preallocate --mpiio.hints-file= --mpiio.hint. --hdf5.individual-datasets --hdf5.max-datasets= --hdf5.element-type= --hdf5.chunk-bytes= --hdf5.chunk-size= --hdf5.filter= --hdf5.deflate-level= --hdf5.no-fill --hdf5.alignment= --hdf5.alignment-threshold= --hdf5.set-alignment= --hdf5.collective-metadata --hdf5.metadata-evictions --hdf5.metadata-cache-size= --hdf5.libver= --hdf5.hint. --hdf5.hints-file= --pnetcdf.format= --pnetcdf.align= --pnetcdf.hints-file= --pnetcdf.hint. --mmap.madvise= --mmap.populate --mmap.huge-pages --uring.direct --uring.sqpoll --uring.sqpoll-idle= --uring.sqpoll-cpu= --uring.iopoll --uring.fixed-buffers --uring.registered-files --libaio.direct"
	if [ "${COMP_WORDS[1]}" = mdtest ] || [ "${COMP_WORDS[0]##*/}" = mdtest ]; then
		flags="--dir= --parents --create --stat --read --rename --remove --list --find --find-name= --find-size= --find-newer= --find-mounts --mix= --mix-duration= --mix-operations= --mix-rate= --mix-total-rate= --mix-think= --directories-only --files-only --items= --items-per-dir= --branch= --depth= --leaf-only --unique-dir --first-tasks= --last-tasks= --task-step= --stride= --random --random-seed= --names= --time-unique-dir --collective-create --shared-file --mknod --write-bytes= --read-bytes= --fsync --sync-phases --verify-read --verify-write --pre-delay= --run-cmd-before-phase= --run-cmd-after-phase= --cleanup= --print-rate --print-time --max-errors= --api= --name= --alone --num-tasks= --placement= --scaling= --repetitions= --precision= --max-repetitions= --warmup= --budget= --node-budget= --num-nodes= --num-tasks-on-node-0= --queue-depth= --memory-per-node= --memory-per-task= --inter-test-delay= --stonewall= --wear-out-limit= --status-file= --max-time-duration= --content= --content-compress= --content-dedup= --content-dedup-block= --content-file= --content-seed= --outlier-threshold= --ref-num= --set= --verbose --format= --output= --summary-file= --summary-format= --progress= --task-table= --operation-tables= --dry-run --show-plan --force --strict --warning-as-errors --allow-commands --allow-overwrite --allow-separate-jobs --deadline= --hang-after= --clock= --limits= --limit.network= --limit.server= --limit.servers= --limit.device= --limit.devices= --site-file= --help --version --list-backends --finish="
	elif [ "${COMP_WORDS[1]}" = load ]; then
		flags="--operations= --random= --run-length= --sizes= --read-sizes= --write-sizes= --stride= --align= --distribution= --hot-blocks= --fsync-every= --sync= --lock= --rate= --byte-rate= --rate-scope= --arrival= --on-late= --curve= --stop-response= --search= --think-time= --burst= --burst-pause= --warmup-time= --cooldown= --operation-limit= --byte-limit= --passes= --interval= --steady= --steady-window= --files= --file-scope= --file-size= --region-offset= --region-size= --region-step= --whole-files --file-choice= --depth-scope= --allow-device --layout= --items= --item-bytes= --dir= --branch= --depth= --api= --test-file= --name= --alone --num-tasks= --placement= --repetitions= --precision= --max-repetitions= --warmup= --budget= --node-budget= --num-nodes= --num-tasks-on-node-0= --queue-depth= --random-offset-seed= --fsync --fsync-per-write --check-read --memory-per-node= --memory-per-task= --inter-test-delay= --duration= --max-time-duration= --cold= --cold-command= --content= --content-compress= --content-dedup= --content-dedup-block= --content-file= --content-seed= --outlier-threshold= --ref-num= --script= --set= --verbose --format= --output= --summary-file= --summary-format= --progress= --task-table= --operation-tables= --dry-run --show-plan --force --strict --warning-as-errors --allow-commands --allow-overwrite --allow-separate-jobs --deadline= --hang-after= --clock= --limits= --limit.network= --limit.server= --limit.servers= --limit.device= --limit.devices= --site-file= --help --version --list-backends --finish="
	fi
	if [ $COMP_CWORD = 1 ] && [ -n "$current" ]; then
		words=$(compgen -W "mdtest load" -- "$current")
	fi
	if [ -z "$words" ] && [ "${COMP_WORDS[COMP_CWORD]}" != = ]; then
		words=$flags
	fi
	COMPREPLY=($(compgen -W "$words" -- "$current"))
	case ${COMPREPLY[*]} in
	*= | *.) compopt -o nospace ;;
	esac
}
complete -F _iorx iorx mdtest
