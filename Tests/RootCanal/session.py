"""Lets a driver of Suites/devices exchange a text with a peripheral on RootCanal, and records its HCI.

session.py DRIVER OUTPUT: starts RootCanal (the PyPI package), connects a Bumble peripheral to it that
has the service of Suites/common/profile.yaml, and runs the driver: scan, activate, send, until it
reports the returned text. OUTPUT is a btsnoop file with the driver's H4 packets. Exit code 3: the
text was not returned.
"""

import asyncio
import json
import os
import socket
import struct
import sys
import time

import rootcanal.binaries
from bumble.core import UUID, AdvertisingData
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.transport import open_transport

DATAPATH = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
TAKES = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFIES = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
LOG = "6e400004-b5a3-f393-e0a9-e50e24dcca9e"
EPOCH = 0x00DCDDB30F2F8000
HEADS = {1: (3, "B"), 2: (4, "H"), 3: (3, "B"), 4: (2, "B"), 5: (4, "H")}


class Recorder:
    """Writes H4 packets of both directions as btsnoop."""

    def __init__(self, path):
        self.file = open(path, "wb")
        self.file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))
        self.pending = [b"", b""]

    def feed(self, data, received):
        held = self.pending[received] + data
        while held:
            head, form = HEADS[held[0]]
            if len(held) < 1 + head:
                break
            (length,) = struct.unpack("<" + form, held[1 + head - struct.calcsize(form) : 1 + head])
            end = 1 + head + length
            if len(held) < end:
                break
            flags = received | (2 if held[0] in (1, 4) else 0)
            stamp = time.time_ns() // 1000 + EPOCH
            self.file.write(struct.pack(">IIIIQ", end, end, flags, 0, stamp) + held[:end])
            held = held[end:]
        self.pending[received] = held
        self.file.flush()


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


async def listening(port):
    for _ in range(100):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.1)
    raise SystemExit("RootCanal does not listen")


async def peripheral(port):
    transport = await open_transport(f"tcp-client:127.0.0.1:{port}")
    device = Device.with_hci("band", Address("C4:11:11:11:11:11"), transport.source, transport.sink)
    tx = Characteristic(NOTIFIES, Characteristic.Properties.NOTIFY, Characteristic.READABLE, b"")

    async def echo(connection, value):
        asyncio.create_task(device.notify_subscriber(connection, tx, value))

    device.add_service(
        Service(
            DATAPATH,
            [
                Characteristic(LOG, Characteristic.Properties.NOTIFY, Characteristic.READABLE, b""),
                tx,
                Characteristic(
                    TAKES, Characteristic.Properties.WRITE, Characteristic.WRITEABLE,
                    CharacteristicValue(write=echo),
                ),
                Characteristic("2A26", Characteristic.Properties.READ, Characteristic.READABLE, b"1.2.3"),
                Characteristic("2A29", Characteristic.Properties.READ, Characteristic.READABLE, b"conform"),
            ],
        )
    )
    await device.power_on()
    data = AdvertisingData(
        [
            (AdvertisingData.FLAGS, bytes([6])),
            (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(UUID(DATAPATH))),
        ]
    )
    await device.start_advertising(advertising_data=bytes(data), auto_restart=True)
    return transport


async def proxy(port, recorder):
    async def pump(reader, writer, received):
        while data := await reader.read(65536):
            recorder.feed(data, received)
            writer.write(data)

    async def serve(reader, writer):
        upper, lower = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(pump(reader, lower, 0), pump(upper, writer, 1))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    return server.sockets[0].getsockname()[1]


async def drive(driver, hci_port):
    heard = asyncio.Queue()

    async def reports(reader, _):
        while line := await reader.readline():
            heard.put_nowait(json.loads(line))

    server = await asyncio.start_server(reports, "127.0.0.1", 0)
    config = {
        "classes": [
            {
                "name": "Band", "carrier": "gatt", "serviceUUIDsInADV": [DATAPATH, "180D"],
                "interestedServiceUUIDs": [DATAPATH], "subscribes": [NOTIFIES],
                "reads": ["00002a26-0000-1000-8000-00805f9b34fb"], "writes": TAKES,
            }
        ]
    }
    program = await asyncio.create_subprocess_exec(
        sys.executable, driver, "127.0.0.1", str(hci_port), "127.0.0.1",
        str(server.sockets[0].getsockname()[1]), stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        env={**os.environ, "CONFORM_CONFIG": json.dumps(config)},
    )

    def control(method, **params):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        program.stdin.write(json.dumps(request).encode() + b"\n")

    async def until(word):
        while (report := await heard.get())["profile"] != word:
            pass
        return report

    try:
        await until("available")
        control("scan")
        name = (await until("discovered"))["object"]
        control("activate", object=name)
        await until("activated")
        control("send", object=name, data="hello")
        return await until("received")
    finally:
        program.kill()
        await program.wait()


async def main(driver, output):
    numbers = free_ports(4)
    ports = [f"-{n}_port={p}" for n, p in zip(("test", "hci", "link", "link_ble"), numbers)]
    binary = rootcanal.binaries.get_package_binary_resource_path("rootcanal")
    program = await asyncio.create_subprocess_exec(
        binary, *ports, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await listening(numbers[1])
        transport = await peripheral(numbers[1])
        port = await proxy(numbers[1], Recorder(output))
        received = await asyncio.wait_for(drive(driver, port), 60)
        print(json.dumps(received))
        return 0
    except asyncio.TimeoutError:
        return 3
    finally:
        program.kill()
        await program.wait()


sys.exit(asyncio.run(main(*sys.argv[1:])))
