"""An app with profile connections that was written from the documents alone, on Bumble's Bluetooth host."""

import asyncio
import json
import signal
import socket
import sys

import habits_profile
import habits_profile_iap
import second_profile
import second_profile_iap
import third_profile
import third_profile_iap
import fifth_profile
import fifth_profile_iap
import seventh_profile
import seventh_profile_iap
from bumble.core import UUID, PhysicalTransport
from bumble.device import Device, Peer
from bumble.hci import Address, OwnAddressType, Role
from bumble.transport import open_transport

from common import Habits, check_tables, list_tables, log, read_configuration, scaled, serve_controls
from profile_advertisement import class_of
from profile_gatt import GattConnection
from profile_iap import BredrAccessory, IapConnection, call, listen_to_bus


TABLES = [habits_profile, habits_profile_iap, second_profile, second_profile_iap, third_profile, third_profile_iap, fifth_profile, fifth_profile_iap,
          seventh_profile, seventh_profile_iap]
VARIANTS = [row for table in TABLES for row in table.VARIANTS]
MUTANTS = [row for table in TABLES for row in table.MUTANTS]


def text(address):
    """An address as it is written in reports."""
    return str(address).split("/")[0].lower()


class App:
    """The manager of profile connections, and the links of the system."""

    def __init__(self, config, habits, reports):
        self.config, self.habits, self.reports = config, habits, reports
        self.classes = [kind for kind in config.get("classes", []) if kind.get("carrier", "gatt") == "gatt"]
        self.iap_classes = [kind for kind in config.get("classes", []) if kind.get("carrier") == "iap"]
        self.accessories, self.bus, self.monitors_iap = {}, None, habits.on("monitorsFromStart")
        self.timeout = config.get("connectTimeout", 5000) / 1000
        self.objects, self.found, self.gone, self.tasks = {}, {}, [], set()
        self.available, self.scans, self.monitors = False, False, habits.on("monitorsFromStart")
        self.device = None
        self.activated, self.latest = False, None
        self.made_link, self.handles = False, {}
        self.setups, self.stops, self.judged, self.retrieved, self.detected = 0, set(), set(), set(), set()
        self.own = OwnAddressType.PUBLIC if habits.on("publicAddress") else OwnAddressType.RANDOM

    def report(self, word, **fields):
        """Writes one report."""
        if self.habits.on("moreMembers"):
            fields |= {"time": 1.5, "über": [None, {"a": True}]}
        line = json.dumps({"profile": word, **fields}, ensure_ascii=self.habits.on("asciiReports"))
        log(line)
        self.reports.sendall(line.encode() + b"\n")

    def spawn(self, work):
        """Starts a task."""
        task = asyncio.ensure_future(self._guarded(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    @staticmethod
    async def _guarded(work):
        try:
            await work
        except Exception as error:  # Anything that Bumble raises; the log shows it.
            log(f"error: {type(error).__name__} {error}")

    # The system

    async def power_on(self, source, sink):
        """Starts the host, and connects the system to its devices."""
        self.device = Device.with_hci("independent", Address("D0:EF:00:00:00:02"), source, sink)
        self.device.on("advertisement", self._heard)
        self.device.classic_enabled = bool(self.iap_classes) and not self.bus
        self.device.on("connection", self._linked)
        await self.device.power_on()
        if self.habits.on("scansEarly"):
            self.available = True
            await self._scan_if_wanted()
            await asyncio.sleep(scaled(0.1))
        if self.habits.on("availableTwice"):
            self.report("unavailable", carrier="gatt")
        for address in self.config.get("systemConnections", []):
            await self._system_connect(address.lower())
        self.available = True
        if self.classes or self.habits.on("reportsBothCarriers"):
            self.report("available", carrier="gatt")
        if self.device.classic_enabled:
            self.report("available", carrier="iap")
        await self._scan_if_wanted()

    # Accessories

    def _linked(self, connection):
        """Handles a BR/EDR link that the accessory made; the host makes the links of the app."""
        if connection.transport == PhysicalTransport.BR_EDR and connection.role == Role.PERIPHERAL and not self.habits.on("deafToCalls"):
            self.spawn(self._accessory_link(connection))

    async def _accessory_link(self, connection):
        address = text(connection.peer_address)
        accessory = BredrAccessory(self, connection, address)
        await accessory.start()
        self.accessories[address] = accessory
        self.accessory_connected(accessory)
        return accessory

    async def connect_accessory(self, address):
        """Makes a link to an accessory, and the iAP2 link on it."""
        return await self._accessory_link(await call(self, address))

    def string_of(self, accessory, kind):
        """The string of a class, as an accessory declares it; None if it does not."""
        wanted, offered = kind.get("communicationProtocol"), (accessory.protocols or [])[:self.habits.get("stringsAtMost")]
        if self.habits.on("anyString"):
            return next(iter(offered), None)
        if self.habits.on("caselessString"):
            return next((name for name in offered if name.lower() == wanted.lower()), None)
        if self.habits.on("stringByPrefix"):
            return next((name for name in offered if name.startswith(wanted)), None)
        return wanted if wanted in offered else None

    def accessory_connected(self, accessory):
        """Handles a new accessory."""
        if self.monitors_iap and not self.habits.on("detectsNothing") and not self._overlooks("iap", accessory.title or accessory.name, "monitor"):
            self._accessory_found(accessory, "monitor")

    def accessory_gone(self, name):
        """Handles the departure of an accessory; a mistake ends the sessions with the others."""
        for item in list(self.objects.values()) if self.habits.on("departureEndsOthers") else []:
            if item.carrier == "iap" and item.active and item.address != name:
                item.accessory.close(item.session)
                item.lost("another accessory has left")

    def _overlooks(self, carrier, name, via):
        """Whether a mistake does not report what is connected."""
        if via == "monitor" and self.habits.on("monitorNeedsIdle") and any(item.active for item in self.objects.values()):
            return True
        if via == "retrieve" and self.habits.on("retrievesWithoutScan") and self.scans:
            return True
        if via == "retrieve":
            known, self.retrieved = name in self.retrieved, self.retrieved | {name}
            return known and self.habits.on("retrievesOnce") or (name in self.found and self.habits.on("retrievesUnknown"))
        known, self.detected = name in self.detected, self.detected | {name}
        return known and self.habits.on("detectsEachOnce") or (carrier in self.stops and self.habits.on("monitorsOnce"))

    def _accessory_found(self, accessory, via):
        if via == "retrieve" and self._overlooks("iap", accessory.name, via):
            return
        kind = next((kind for kind in self.iap_classes if self.string_of(accessory, kind)), None)
        if kind is None and self.habits.on("takesAllAccessories"):
            kind = self.iap_classes[0]
        if kind:
            index = self.habits.get("classIndex")
            self._iap_found(kind if index is None else self.iap_classes[index], accessory.name, via)

    def _iap_found(self, kind, name, via):
        number = int(name.replace(":", ""), 16) if self.habits.on("numbersObjects") else "iap-" + name
        if number not in self.objects:
            self.objects[number] = IapConnection(self, number, kind, name)
            if self.bus and self.habits.on("firstNumberOfTitle"):
                self.objects[number].address = self.handles.setdefault(self.accessories[name].title, name)
        place = {"accessory": self.accessories[name].title} if self.bus else {"address": name}
        self.report("discovered", object=number, carrier="iap", **place, **{"class": kind["name"]}, via=via)
        if self.habits.on("activatesWhenFound"):
            self.spawn(self.objects[number].activate())

    def link(self, address):
        """The link to a device, if there is one."""
        return next((c for c in self.device.connections.values() if text(c.peer_address) == address), None)

    async def connect(self, address):
        """Makes a link to a device."""
        kind = Address.RANDOM_DEVICE_ADDRESS if int(address[:2], 16) >> 6 == 3 else Address.PUBLIC_DEVICE_ADDRESS
        paused = self.habits.on("pausesScan") and self.device.is_scanning
        if paused:
            await self.device.stop_scanning()
        timeout = 600 if self.habits.on("waitsForLink") else self.timeout
        try:
            return await self.device.connect(Address(address, kind), own_address_type=self.own, timeout=timeout)
        finally:
            if paused and self.scans:
                await self._scan_if_wanted()

    # Discovery

    async def _scan_if_wanted(self):
        if self.scans and self.available and not self.device.is_scanning:
            await self.device.start_scanning(active=not self.habits.on("passive"), filter_duplicates=self.habits.on("filtersDuplicates"),
                                             scan_interval=self.habits.get("interval", 60), scan_window=60, own_address_type=self.own)

    def _heard(self, advertisement):
        address = text(advertisement.address)
        if self.habits.on("activationDeafensScan") and self.activated:
            return
        if self.habits.on("scansOnce") and "scan" in self.stops:
            return
        if self.habits.on("judgesOnce") and address in self.judged:
            return
        self.judged.add(address)
        if not self.scans or (advertisement.is_scan_response and self.habits.on("missesScanResponse")):
            return
        if address in self.found:
            if self.habits.on("reportsAgain"):
                self._found(self.found[address], address, "scan", rssi=advertisement.rssi)
            return
        if len(self.found) >= self.habits.get("mostFound", 1000):
            return
        kind = class_of(advertisement.data, self.classes, self.habits)
        if kind:
            self._found(kind, address, "scan", rssi=advertisement.rssi)
            if self.habits.on("connectsWhenFound") or (self.habits.on("laterScanConnects") and "scan" in self.stops):
                self.spawn(self.connect(address))
            if self.habits.on("activatesWhenFound"):
                self.spawn(self.objects[address].activate())

    def _found(self, kind, address, via, **fields):
        self.found[address] = kind
        name = self.habits.get("objectPrefix", "") + address
        if name not in self.objects:
            self.objects[name] = self.objects[address] = GattConnection(self, name, kind, address)
        members = {"object": name, "carrier": "gatt", "address": address.upper() if self.habits.on("capitals") else address}
        self.report("discovered", **members, **{"class": kind["name"]}, via=via, **fields)

    async def _probe(self, connection, via):
        """Reports a link whose device has a service that a class is interested in."""
        await asyncio.sleep(scaled(self.habits.get("probeDelay", 0)))
        address, peer = text(connection.peer_address), Peer(connection)
        if self._overlooks("gatt", address, via):
            return
        if self.habits.on("takesAllLinks"):
            self._found(self.classes[0], address, via)
            return
        for kind in self.classes:
            wanted = [UUID(uuid) for uuid in kind.get("interestedServiceUUIDs", [])]
            if self.habits.on("probesAllServices"):
                offered = [service.uuid for service in await peer.discover_services()]
            else:
                offered = [uuid for uuid in wanted if await peer.discover_service(uuid)]
            if any(uuid in wanted for uuid in offered):
                self._found(self.classes[self.habits.get("classIndex")] if self.habits.get("classIndex") is not None else kind, address, via)
                return

    # Controls

    async def scan(self, _params):
        """Begins the search."""
        self.scans = True
        if self.habits.get("scanBursts"):
            self.spawn(self._pause_scan())
        if self.habits.get("scanDelay"):
            self.spawn(self._scan_later())
        elif self.device and self.device.powered_on:
            await self._scan_if_wanted()
        return {}

    async def stop_scan(self, _params):
        """Ends the search."""
        self.scans = False
        self.stops.add("scan")
        if self.habits.on("stopScanStopsMonitor"):
            self.monitors = self.monitors_iap = False
        if self.device and self.device.is_scanning:
            await self.device.stop_scanning()
        return {}

    async def _scan_later(self):
        await asyncio.sleep(scaled(self.habits.get("scanDelay")))
        await self._scan_if_wanted()

    async def _pause_scan(self):
        """Interrupts the scan again and again."""
        while self.scans:
            await asyncio.sleep(scaled(self.habits.get("scanBursts")))
            if self.scans and self.device.is_scanning:
                await self.device.stop_scanning()
                await asyncio.sleep(scaled(0.1))
                await self._scan_if_wanted()

    def retrieve(self, params):
        """Reports the connected devices and accessories."""
        carrier = params.get("carrier")
        if self.habits.on("oneOfAName"):
            self.accessories = {item.title: item for item in reversed(list(self.accessories.values()))}
            self.accessories = {item.name: item for item in self.accessories.values()}
        for accessory in list(self.accessories.values())[:self.habits.get("mostAccessories")] if carrier != "gatt" and not self.habits.on("retrievesNothing") else []:
            self._accessory_found(accessory, "retrieve")
        if carrier == "iap":
            return {}
        for connection in self._le_links() if not self.habits.on("retrievesNothing") else []:
            self.spawn(self._probe(connection, "retrieve"))
        for address in self.gone if self.habits.on("retrievesGone") else []:
            self._found(self.classes[0], address, "retrieve")
        return {}

    def _le_links(self):
        return [c for c in self.device.connections.values() if c.transport == PhysicalTransport.LE]

    def monitor(self, params):
        """Reports new connections from now on."""
        self.monitors = self.monitors or params.get("carrier") != "iap"
        self.monitors_iap = self.monitors_iap or params.get("carrier") != "gatt"
        if self.habits.on("detectsOlder"):
            for connection in self._le_links():
                self.spawn(self._probe(connection, "monitor"))
            for accessory in list(self.accessories.values()):
                self._accessory_found(accessory, "monitor")
        return {}

    def stop_monitoring(self, params):
        """Stops reporting new connections."""
        self.stops |= {"gatt", "iap"} - ({params["carrier"]} ^ {"gatt", "iap"} if params.get("carrier") else set())
        if params.get("carrier") != "iap":
            self.monitors = self.habits.on("monitorsForEver")
        if params.get("carrier") != "gatt":
            self.monitors_iap = self.habits.on("monitorsForEver")
        return {}

    def instantiate(self, params):
        """Creates an object by the manager."""
        if params.get("carrier") == "iap":
            self._iap_found(self.iap_classes[0], params["address"].lower(), "instantiate")
            return {}
        self._found(self.classes[0], params["address"].lower(), "instantiate")
        return {}

    def make(self, params):
        """Creates an object without the manager."""
        kind = next(c for c in self.classes if c["name"] == params.get("class", c["name"]))
        name = params.get("object", "manual")
        self.objects[name] = GattConnection(self, name, kind, params["address"].lower(), manual=True)
        return {}

    def system_connect(self, params):
        """The system connects."""
        self.spawn(self._system_connect(params["address"].lower()))
        return {}

    async def _system_connect(self, address):
        if self.iap_classes and int(address[:2], 16) >> 6 != 3:
            await self.connect_accessory(address)
            return
        connection = await self.connect(address)
        connection.on("disconnection", lambda _reason: self.gone.append(address))
        if self.monitors and not self.habits.on("detectsNothing"):
            await self._probe(connection, "monitor")

    def system_disconnect(self, params):
        """The system ends a link."""
        self.spawn(self.link(params["address"].lower()).disconnect())
        return {}

    def on_object(self, method):
        """A control that an object executes."""
        def perform(params):
            item = self.objects.get(params["object"]) or self.objects[int(params["object"])]
            arguments = [params["data"].encode()] if method == "send" else []
            self.spawn(getattr(item, method)(*arguments))
            return {}
        return perform


async def main(hci_host, hci_port, report_host, report_port, *bus):
    """Runs the app until it is stopped."""
    habits = Habits(VARIANTS, MUTANTS)
    config = read_configuration()
    log(f"configuration {json.dumps(config)}")
    reports = socket.create_connection((report_host, int(report_port)))
    reports.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    app = App(config, habits, reports)
    controls = asyncio.ensure_future(serve_controls({
        "scan": app.scan, "stopScan": app.stop_scan, "retrieve": app.retrieve, "monitor": app.monitor,
        "stopMonitoring": app.stop_monitoring, "instantiate": app.instantiate, "make": app.make,
        "activate": app.on_object("activate"), "deactivate": app.on_object("deactivate"), "send": app.on_object("send"),
        "system.connect": app.system_connect, "system.disconnect": app.system_disconnect, "ping": lambda _: {}}))
    if config.get("accessoryBus"):
        app.bus = bus
        app.spawn(listen_to_bus(app))
    transport = await open_transport(f"tcp-client:{hci_host}:{hci_port}")
    app.spawn(app.power_on(transport.source, transport.sink))
    done = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, done.set)
    await done.wait()
    controls.cancel()


if __name__ == "__main__":
    check_tables(VARIANTS, MUTANTS)
    if not list_tables(sys.argv[1:], VARIANTS, MUTANTS):
        asyncio.run(main(*sys.argv[1:]))
