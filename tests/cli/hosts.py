"""Three emulated hosts on this machine: h1, h2, h3, each with its own network, name and clock.

Everything lives in private namespaces under one first process: when it ends, and it ends with the
test, the kernel takes all of it away. A launcher in the namespace "head" starts its daemons through
an agent that enters a host instead of logging in to one.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

NETWORK = "10.77.0"
NAMES = ("h1", "h2", "h3")

# The first process. The monotonic clocks stand two hours apart.
FIRST = textwrap.dedent(f"""\
    set -e
    ip link set lo up
    hostname head
    ip link add bridge type bridge
    ip addr add {NETWORK}.254/24 dev bridge
    ip link set bridge up
    echo "127.0.0.1 localhost" >"$1/names"
    echo "{NETWORK}.254 head" >>"$1/names"
    for i in 1 2 3; do
        echo "{NETWORK}.$i h$i" >>"$1/names"
        unshare --net --uts --time --monotonic=$(((i - 1) * 7200)) --fork sleep infinity &
        holder=$!
        child=
        until test -n "$child"; do
            read child </proc/$holder/task/$holder/children || sleep 0.01
        done
        echo $child >"$1/h$i"
        ip link add v$i type veth peer name eth0 netns $child
        if test "$i" = "$far"; then
            ip link set v$i up
            ip link add to$i type veth peer name from$i
            ip link set to$i up
            ip link set from$i master bridge up
            "$python" "$relay" v$i to$i $there $back &
        else
            ip link set v$i master bridge up
        fi
        nsenter --target $child --net --uts sh -e -c "
            ip link set lo up
            ip addr add {NETWORK}.$i/24 dev eth0
            ip link set eth0 up
            hostname h$i"
    done
    mount --bind "$1/names" /etc/hosts
    # Open MPI names its shared memory by host, user and job, which are the same in each such set of hosts.
    mount -t tmpfs none /dev/shm
    echo ready
    read end
    """)

AGENT = textwrap.dedent("""\
    #!/bin/sh
    host=$1
    shift
    exec nsenter --target $(cat "$(dirname "$0")/$host") --net --uts --time -- sh -c "$*"
    """)


def launcher():
    """What kind the launcher is: "open mpi", "hydra" (MPICH's), or what it says itself."""
    words = (os.environ.get("MPIEXEC") or "mpiexec").split()
    said = subprocess.run([*words, "--version"], capture_output=True, text=True, check=False).stdout
    if "Open MPI" in said or "OpenRTE" in said:
        return "open mpi"
    return "hydra" if "HYDRA" in said else " ".join(words)


def why_not():
    """Why hosts cannot be emulated here; None when they can."""
    if os.geteuid():
        return "namespaces for emulated hosts need root"
    for tool in ("unshare", "nsenter", "ip", "mount"):
        if not shutil.which(tool):
            return f"{tool} is not installed"
    if launcher() not in ("open mpi", "hydra"):
        return f"the launcher {launcher()} has not been taught to enter the hosts"
    tried = subprocess.run(["unshare", "--net", "--uts", "--mount", "--pid", "--time", "--fork",
                            "--mount-proc", "--monotonic=1", "ip", "link", "add", "bridge", "type",
                            "bridge"], capture_output=True, text=True, check=False)
    return None if not tried.returncode else "no namespaces here: " + tried.stderr.strip()


class Hosts:
    """
    The hosts from start() to close(); `folder` is an existing empty folder for their own files. far:
    (host 1 to 3, seconds to the others, seconds back) puts a slow network before one of them.
    """

    def __init__(self, folder, far=(0, 0, 0)):
        self.folder = folder
        self.first = None
        self.network = {"far": str(far[0]), "there": str(far[1]), "back": str(far[2]),
                        "python": sys.executable,
                        "relay": os.path.join(os.path.dirname(os.path.abspath(__file__)), "relay.py")}

    def start(self):
        """Sets them up, or skips the test when that is not possible."""
        agent = os.path.join(self.folder, "agent")
        with open(agent, "w", encoding="utf-8") as file:
            file.write(AGENT)
        os.chmod(agent, 0o755)
        self.first = subprocess.Popen(
            ["unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--kill-child",
             "--mount-proc", "sh", "-c", FIRST, "first", self.folder],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **self.network})
        if self.first.stdout.readline().strip() != "ready":
            said = self.close()
            raise unittest.SkipTest("the hosts cannot be set up: " + said)

    def close(self):
        """Ends everything in the hosts; returns what their set-up complained of."""
        try:
            _, said = self.first.communicate("end\n", timeout=100)
        except subprocess.TimeoutExpired:
            self.first.kill()
            _, said = self.first.communicate()
        return said

    def _inside(self):
        with open(f"/proc/{self.first.pid}/task/{self.first.pid}/children", encoding="ascii") as file:
            return file.read().split()[0]

    def environment(self, slots, by_node=False):
        """What makes the launcher start slots[i] tasks on each host, in blocks or dealt out."""
        places = ",".join(f"{name}:{count}" for name, count in zip(NAMES, slots))
        agent = os.path.join(self.folder, "agent")
        if launcher() == "hydra":
            flags = ["-launcher", "rsh", "-launcher-exec", agent, "-hosts", places]
            flags += ["-ppn", "1"] if by_node else []
        else:
            flags = ["--mca", "plm_rsh_agent", agent, "--host", places,
                     "--mca", "btl", "tcp,self,vader",
                     "--mca", "btl_tcp_if_include", NETWORK + ".0/24",
                     "--mca", "oob_tcp_if_include", NETWORK + ".0/24"]
            flags += ["--map-by", "node"] if by_node else []
        return {**os.environ, "LAUNCH_FLAGS": " ".join(flags)}

    def command(self, *words):
        """The words as a command that runs in the namespace of the launcher."""
        return ["nsenter", "--target", self._inside(), "--all", "--wd=.", "--", *words]


def give(case):
    """Hosts for all cases of a class, as its `hosts`."""
    base = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
    case.addClassCleanup(shutil.rmtree, base, ignore_errors=True)
    case.hosts = Hosts(base)
    case.hosts.start()
    case.addClassCleanup(case.hosts.close)
