"""A slow network: hands frames from one interface to the other and back, each after a delay of its own.

relay.py INTERFACE INTERFACE SECONDS SECONDS: the delays are those from the first to the second, and back.
"""
import heapq
import select
import socket
import sys
import time

SOL_PACKET, PACKET_VNET_HDR, ETH_P_ALL, PACKET_OUTGOING = 263, 15, 3, 4


def open_interface(name):
    """Frames with the header that says what of them the sender left to the network card."""
    interface = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    interface.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    interface.bind((name, 0))
    return interface


def relay(sides, delays):
    waiting = []  # (when, number, where to, frame)
    number = 0
    while True:
        rest = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        ready, _, _ = select.select(sides, [], [], rest)
        now = time.monotonic()
        for side in ready:
            frame, address = side.recvfrom(1 << 17)
            if address[2] == PACKET_OUTGOING:
                continue
            way = sides.index(side)
            number += 1
            heapq.heappush(waiting, (now + delays[way], number, sides[1 - way], frame))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, side, frame = heapq.heappop(waiting)
            try:
                side.send(frame)
            except OSError:
                pass  # as a network does: who waits for it sends again


if __name__ == "__main__":
    relay([open_interface(name) for name in sys.argv[1:3]], [float(word) for word in sys.argv[3:5]])
