"""The stamp at the start of each 512-byte sector, by src/content/stamp.h and nothing else."""

import collections
import struct

SECTOR = 512
WORDS = struct.Struct("=QQQQ")
MASK = (1 << 64) - 1
ROTATIONS = {"seed": 13, "offset": 29, "who": 47, "hash": 5}

# What a stamp says, and where it was found.
Stamp = collections.namedtuple("Stamp", "seed offset file repetition at")


def rotate(word, by):
    return (word << by | word >> (64 - by)) & MASK


def fold(word):
    product = word * 0xd6e8feb86659fd93
    return (product & MASK) ^ (product >> 64)


def hash_of(seed, offset, who):
    key = fold((seed + 0xa0761d6478bd642f) & MASK)
    key = fold(key ^ ((who + 0xe7037ed1a0b428db) & MASK))
    return fold((key + offset // SECTOR * 0x9e3779b97f4a7c15) & MASK)


def make(seed, offset, file=0, repetition=0):
    """The 32 bytes of a stamp."""
    who = file | repetition << 32
    word = hash_of(seed, offset, who)
    return WORDS.pack(*(value ^ rotate(word, ROTATIONS[name]) for name, value in
                        (("seed", seed), ("offset", offset), ("who", who), ("hash", 0))))


def read(data, at=0):
    """The Stamp there, or None."""
    words = WORDS.unpack_from(data, at)
    word = rotate(words[3], 64 - ROTATIONS["hash"])
    seed, offset, who = (words[i] ^ rotate(word, ROTATIONS[name])
                         for i, name in enumerate(("seed", "offset", "who")))
    if offset % SECTOR or hash_of(seed, offset, who) != word:
        return None
    return Stamp(seed, offset, who & 0xffffffff, who >> 32, at)


def find(data):
    """Those of all sectors of a file; None where there is none."""
    return [read(data, at) for at in range(0, len(data) - WORDS.size + 1, SECTOR)]
