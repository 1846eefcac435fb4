"""Makes profile connections with Bumble's host: bumble-profile.py HCI-HOST HCI-PORT REPORT-HOST REPORT-PORT

The configuration of the case (CONFORM_CONFIG) is that of conform-device profile-app: classes,
systemConnections, connectTimeout. Controls come as JSON-RPC on standard input; what no packet shows
is reported as JSON lines on a connection of its own.
"""

import asyncio
import json
import os
import socket
import sys

from bumble.att import (
    ATT_INSUFFICIENT_AUTHENTICATION_ERROR,
    ATT_INSUFFICIENT_ENCRYPTION_ERROR,
    ATT_Error,
)
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.hci import Address, HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR
from bumble.transport import open_transport

LISTS_16 = (
    AdvertisingData.INCOMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
    AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
)
LISTS_128 = (
    AdvertisingData.INCOMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
    AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS,
)

NEEDS_PAIRING = (ATT_INSUFFICIENT_AUTHENTICATION_ERROR, ATT_INSUFFICIENT_ENCRYPTION_ERROR)


def text(address):
    return str(address).split("/")[0].lower()


def random_or_public(address):
    kind = Address.RANDOM_DEVICE_ADDRESS
    if int(address[:2], 16) >> 6 != 3:
        kind = Address.PUBLIC_DEVICE_ADDRESS
    return Address(address, kind)


def advertised(data):
    """The services that an advertisement lists, as UUIDs of 128 bits."""
    found = []
    for kind, value in data.ad_structures:
        size = 2 if kind in LISTS_16 else 16 if kind in LISTS_128 else None
        if size:
            found += [
                UUID.from_bytes(value[i : i + size]) for i in range(0, len(value), size)
            ]
    return found


class ProfileConnection:
    """One device, and the class of its connection."""

    def __init__(self, app, name, kind, address, manual=False):
        self.app, self.name, self.kind = app, name, kind
        self.address, self.manual = address, manual
        self.connection = self.peer = None
        self.owns_link = self.active = False
        self.channels, self.writes = [], None
        self.setup = None

    async def activate(self):
        self.app.report("activating", object=self.name)
        try:
            self.setup = asyncio.ensure_future(self.set_up())
            await self.setup
        except (Exception, asyncio.CancelledError) as error:
            # Any exception of Bumble, or the loss of the link, fails the activation.
            connection, owned = self.connection, self.owns_link
            self.forget()
            self.app.report(
                "activationFailed", object=self.name, reason=f"{type(error).__name__}: {error}"
            )
            if owned and connection and connection.handle in self.app.device.connections:
                await connection.disconnect()
        else:
            self.active = True
            self.app.report("activated", object=self.name)

    async def set_up(self):
        self.connection = self.app.link(self.address)
        if self.connection is None:
            if self.manual:
                raise RuntimeError("the device is not connected, and nobody connects")
            self.owns_link = True
            self.connection = await self.app.connect(self.address)
        self.connection.on("disconnection", self.lost)
        self.peer = Peer(self.connection)
        await self.peer.request_mtu(517)
        services = []
        for uuid in self.kind.get("interestedServiceUUIDs", []):
            services += await self.peer.discover_service(UUID(uuid))
        if not services:
            raise RuntimeError("service not found")
        for service in services:
            await service.discover_characteristics()
        characteristics = [c for service in services for c in service.characteristics]

        def named(uuid):
            return next(c for c in characteristics if c.uuid == UUID(uuid))

        for uuid in self.kind.get("subscribes", []):
            characteristic = named(uuid)
            await characteristic.discover_descriptors()
            await self.peer.subscribe(characteristic, self.received)
            self.channels.append(characteristic)
        for uuid in self.kind.get("reads", []):
            try:
                await named(uuid).read_value()
            except ATT_Error as error:
                if error.error_code not in NEEDS_PAIRING:
                    raise
                # Bumble's pairing does not end by itself if encryption is refused.
                await asyncio.wait_for(self.connection.pair(), 5)
                await named(uuid).read_value()
        if self.kind.get("writes"):
            self.writes = named(self.kind["writes"])

    def received(self, value):
        if self.active:
            self.app.report("received", object=self.name, data=bytes(value).decode())

    def lost(self, reason):
        was_active = self.active
        self.forget()
        if self.setup:
            self.setup.cancel()
        if was_active:
            self.app.report("inactive", object=self.name, reason=f"link ended: {reason}")

    def forget(self):
        self.connection = self.peer = self.writes = None
        self.owns_link = self.active = False
        self.channels = []

    async def deactivate(self):
        self.active = False
        connection, owned, channels = self.connection, self.owns_link, self.channels
        for characteristic in channels:
            await self.peer.unsubscribe(characteristic, self.received)
        self.forget()
        if owned:
            await connection.disconnect(HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        self.app.report("deactivated", object=self.name)

    async def send(self, data):
        if not self.active or not self.writes:
            return
        size = self.connection.att_mtu - 3
        for start in range(0, max(1, len(data)), size):
            await self.writes.write_value(data[start : start + size], with_response=True)


class App:
    """The manager, the system's own links, and the control channel."""

    def __init__(self, config, report):
        self.classes = [c for c in config.get("classes", []) if c.get("carrier", "gatt") == "gatt"]
        self.timeout = config.get("connectTimeout", 5000) / 1000
        self.system = config.get("systemConnections", [])
        self.reports = report
        self.objects, self.available, self.wanted, self.monitors = {}, False, False, False
        self.device = None

    def report(self, name, **fields):
        line = json.dumps({"profile": name, **fields}, separators=(",", ":"))
        print(line, flush=True)
        self.reports.sendall(line.encode() + b"\n")

    def link(self, address):
        for connection in self.device.connections.values():
            if text(connection.peer_address) == address:
                return connection
        return None

    async def connect(self, address):
        return await self.device.connect(random_or_public(address), timeout=self.timeout)

    async def power_on(self, source, sink):
        self.device = Device.with_hci("conform", Address("D0:EF:00:00:00:01"), source, sink)
        self.device.on("advertisement", self.heard)
        await self.device.power_on()
        for address in self.system:
            await self.connect(address)
        self.available = True
        self.report("available", carrier="gatt")
        if self.wanted:
            await self.scan()

    async def scan(self):
        if not self.device.is_scanning:
            await self.device.start_scanning(active=True, filter_duplicates=False)

    def heard(self, advertisement):
        address = text(advertisement.address)
        if not self.wanted or address in self.objects:
            return
        offered = advertised(advertisement.data)
        for kind in self.classes:
            if any(UUID(uuid) in offered for uuid in kind.get("serviceUUIDsInADV", [])):
                return self.found(kind, address, "scan", rssi=advertisement.rssi)

    def found(self, kind, address, via, **fields):
        if address not in self.objects:
            self.objects[address] = ProfileConnection(self, address, kind, address)
        self.report(
            "discovered", object=address, carrier="gatt", address=address,
            **{"class": kind["name"]}, via=via, **fields
        )

    async def probe(self, connection, via):
        peer = Peer(connection)
        for kind in self.classes:
            for uuid in kind.get("interestedServiceUUIDs", []):
                if await peer.discover_service(UUID(uuid)):
                    return self.found(kind, text(connection.peer_address), via)

    async def perform(self, method, params):
        if method == "scan":
            self.wanted = True
            if self.available:
                await self.scan()
        elif method == "stopScan":
            self.wanted = False
            if self.available:
                await self.device.stop_scanning()
        elif method == "retrieve":
            for connection in list(self.device.connections.values()):
                await self.probe(connection, "retrieve")
        elif method in ("monitor", "stopMonitoring"):
            self.monitors = method == "monitor"
        elif method == "instantiate":
            self.found(self.classes[0], params["address"], "instantiate")
        elif method == "make":
            kind = next(c for c in self.classes if c["name"] == params.get("class", c["name"]))
            name = params.get("object", "manual")
            self.objects[name] = ProfileConnection(self, name, kind, params["address"], manual=True)
        elif method == "activate":
            await self.objects[params["object"]].activate()
        elif method == "deactivate":
            await self.objects[params["object"]].deactivate()
        elif method == "send":
            await self.objects[params["object"]].send(params["data"].encode())
        elif method == "system.connect":
            connection = await self.connect(params["address"])
            if self.monitors:
                await self.probe(connection, "monitor")
        elif method == "system.disconnect":
            await self.link(params["address"]).disconnect()


async def main(hci_host, hci_port, report_host, report_port):
    config = json.loads(os.environ.get("CONFORM_CONFIG", "{}"))
    reports = socket.create_connection((report_host, int(report_port)))
    reports.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    app = App(config, reports)
    transport = await open_transport(f"tcp-client:{hci_host}:{hci_port}")
    tasks = {asyncio.create_task(app.power_on(transport.source, transport.sink))}
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), sys.stdin
    )
    while line := await lines.readline():
        request = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": request.get("id"), "result": True}
        print(json.dumps(answer), flush=True)
        if request["method"] == "stop":
            return
        tasks.add(
            asyncio.create_task(app.perform(request["method"], request.get("params") or {}))
        )


asyncio.run(main(*sys.argv[1:]))
