"""File systems to try things on: tmpfs, ext4 and xfs in a file, and one in user space (FUSE)."""

import os
import shutil
import subprocess
import tempfile
import time

KINDS = ("tmpfs", "ext4", "xfs", "fuse")
IMAGE_BYTES = 1 << 30  # sparse; xfs wants some 300 MiB


class Unavailable(Exception):
    """Why there is no such file system here."""


def call(*words):
    """Runs a command that the file system needs."""
    if not shutil.which(words[0]):
        raise Unavailable(f"{words[0]} is not installed")
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def is_mounted(folder):
    """Also where the server of a file system in user space has died, which os.path.ismount() takes for none."""
    with open("/proc/self/mounts", encoding="utf-8") as mounts:
        return any(line.split()[1] == folder for line in mounts)


class Storage:
    """A mounted file system from its making to close(); .folder is its root."""

    def __init__(self, kind, base, source, *words):
        """base: where images and compiled programs may lie; source: the root of iorx's source.

        words: what passthrough.c is told, such as a call that fails ("unlink=5").
        """
        self.kind = kind
        self.words = words
        self.home = tempfile.mkdtemp(prefix=f"{kind}-", dir=base)
        self.folder = os.path.join(self.home, "mounted")
        self.server = None
        os.mkdir(self.folder)
        try:
            getattr(self, "_" + kind)(source)
        except BaseException:
            self.close()
            raise

    def _tmpfs(self, _):
        call("mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", self.folder)

    def _small(self, _):
        call("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", self.folder)

    def _image(self, *make, size=IMAGE_BYTES, options="loop"):
        image = os.path.join(self.home, "image")
        with open(image, "wb") as file:
            file.truncate(size)
        call(*make, image)
        call("mount", "-o", options, image, self.folder)

    def _ext4(self, _):
        self._image("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0")

    def _journal(self, _):
        """All data goes through the journal, and direct I/O is not heeded."""
        self._image("mkfs.ext4", "-q", options="loop,data=journal")

    def _tight(self, _):
        """Room for some 900 directories, of a KiB each, and for any number of empty files."""
        self._image("mkfs.ext4", "-q", "-b", "1024", "-I", "128", "-N", "4000", "-O", "^has_journal",
                    size=1500 << 10)

    def _xfs(self, _):
        self._image("mkfs.xfs", "-q")

    def _btrfs(self, _):
        self._image("mkfs.btrfs", "-q")

    def _zstd(self, _):
        self._image("mkfs.btrfs", "-q", options="loop,compress-force=zstd")

    def _fuse(self, source):
        program, behind = os.path.join(os.path.dirname(self.home), "passthrough"), os.path.join(self.home, "behind")
        if not os.access("/dev/fuse", os.R_OK | os.W_OK):
            raise Unavailable("/dev/fuse cannot be opened")
        words = call("pkg-config", "--cflags", "--libs", "fuse3").split()
        if not os.path.exists(program):
            call("cc", "-O1", "-o", program, os.path.join(source, "tests/cli/passthrough.c"), *words)
        os.mkdir(behind)
        self.log = os.path.join(self.home, "log")
        with open(self.log, "wb") as log:
            self.server = subprocess.Popen([program, behind, self.folder, *self.words],
                                           stdout=log, stderr=log)
        until = time.monotonic() + 10
        while not os.path.ismount(self.folder):
            if self.server.poll() is not None or time.monotonic() > until:
                raise Unavailable(f"passthrough: {self.said()}")
            time.sleep(0.02)

    def said(self):
        """What the server in user space printed."""
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read().strip()

    def names(self):
        """What lies in it; its own lost+found left out."""
        behind = os.path.join(self.home, "behind") if self.server else self.folder
        return sorted(set(os.listdir(behind)) - {"lost+found"})

    def close(self):
        """Unmounts it and takes everything away."""
        if is_mounted(self.folder):
            subprocess.run(["umount", self.folder], check=False, stderr=subprocess.DEVNULL)
        if is_mounted(self.folder):
            subprocess.run(["umount", "-l", self.folder], check=False)
        if self.server:
            self.server.terminate()
            try:
                self.server.wait(5)
            except subprocess.TimeoutExpired:  # a call that never returns keeps it
                self.server.kill()
                self.server.wait()
        shutil.rmtree(self.home, ignore_errors=True)


def mounted(case, kind, source, *options, words=()):
    """A Storage for the rest of a test, which is skipped where there is none; options: for a further mount of it."""
    try:
        there = Storage(kind, case.home, source, *words)
    except Unavailable as why:
        case.skipTest(str(why))
    case.addCleanup(there.close)
    if options:
        call("mount", "-o", "remount," + ",".join(options), there.folder)
    return there
