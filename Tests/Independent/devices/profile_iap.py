"""Profile connections with accessories: over iAP2 on BR/EDR, and over the accessory bus."""

import asyncio
import json

from bumble.core import UUID, PhysicalTransport
from bumble.hci import HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR, Address
from bumble.rfcomm import Client, find_rfcomm_channel_with_uuid

from common import log, now, scaled
from profile_iap2 import Link

ACCESSORY = UUID("00000000-deca-fade-deca-deafdecacaff")


class BredrAccessory:
    """An accessory over BR/EDR: the system makes the iAP2 link as soon as there is a link."""

    def __init__(self, app, connection, name):
        self.app, self.connection, self.name = app, connection, name
        self.protocols, self.sessions, self.link, self.title = None, {}, None, None
        self.next_session = app.habits.get("firstSession", 1)
        connection.on("disconnection", lambda reason: self.broken(f"link ended: {reason}"))

    async def start(self):
        """Finds the service record, opens the serial channel and the link, and identifies."""
        if self.app.habits.on("authenticates"):
            await self.connection.authenticate()
        channel = await find_rfcomm_channel_with_uuid(self.connection, ACCESSORY)
        if channel is None:
            raise RuntimeError("no accessory service")
        multiplexer = await Client(self.connection).start()
        options = {"initial_credits": self.app.habits.get("credits")} if self.app.habits.get("credits") else {}
        dlc = await multiplexer.open_dlc(channel, **options)
        known = asyncio.get_running_loop().create_future()
        self.link = Link(dlc.write, self.app.habits, lambda wait, work, *rest: asyncio.get_running_loop().call_later(scaled(wait), work, *rest))
        self.link.on_protocols = lambda: known.done() or known.set_result(None)
        self.link.on_status, self.link.on_data = self._status, self._data
        self.link.on_broken = self.broken
        dlc.on("close", lambda: self.broken("channel closed"))
        closed = dlc.on_disc_frame

        def on_disc_frame(frame):  # Bumble answers this without a notification.
            closed(frame)
            self.broken("channel closed")

        dlc.on_disc_frame = on_disc_frame
        dlc.sink = self.link.take
        await asyncio.wait_for(known, scaled(8))
        self.protocols = list(self.link.protocols)

    async def open(self, string, receive, lost):
        """A session under a string."""
        number = self.next_session
        self.next_session += 1
        opened = asyncio.get_running_loop().create_future()
        self.sessions[number] = (opened, receive, lost)
        self.link.open(string, number)
        try:
            await asyncio.wait_for(opened, scaled(self.app.timeout))
        except BaseException:
            self.sessions.pop(number, None)
            raise
        return number

    def _status(self, number, status):
        opened, _, lost = self.sessions.get(number, (None, None, None))
        if opened and not opened.done():
            if status == 0:
                opened.set_result(None)
            else:
                opened.set_exception(RuntimeError(f"refused with {status}"))
        elif lost and status:
            self.sessions.pop(number)
            lost("session closed")

    def _data(self, number, data):
        opened, receive, _ = self.sessions.get(number, (None, None, None))
        if opened and not opened.done():
            opened.set_result(None)
        if receive:
            receive(data)

    def send(self, number, data):
        """Data in a session."""
        self.link.send(number, data)

    def close(self, number):
        """Ends a session."""
        if self.sessions.pop(number, None):
            self.link.stop(number)

    def broken(self, why):
        """Handles the end of the iAP2 link, and with it of all sessions."""
        if not self.app.habits.on("keepsGoneAccessories"):
            self.protocols = None
            self.app.accessories.pop(self.name, None)
        sessions, self.sessions = self.sessions, {}
        for opened, _, lost in sessions.values():
            if opened.done():
                lost(why)
            else:
                opened.set_exception(RuntimeError(why))
        self.app.accessory_gone(self.name)


class BusAccessory:
    """An accessory of the accessory bus."""

    def __init__(self, app, item):
        self.app, self.name, self.number = app, str(item["id"]), item["id"]
        self.title = item.get("name")
        self.protocols, self.sessions, self.next_session = item.get("protocols") or [], {}, 1

    async def open(self, string, receive, lost):
        """A session under a string."""
        reader, writer = await asyncio.open_connection(*self.app.bus)
        writer.write(f"EA-BUS/1 session {self.number} {string}\n".encode())
        try:
            line = await asyncio.wait_for(reader.readline(), scaled(self.app.timeout))
        except asyncio.TimeoutError:
            line = b"silence"
        if not line.startswith(b"opened"):
            writer.close()
            raise RuntimeError(line.decode().strip() or "closed")
        self.next_session += 1
        self.sessions[self.next_session] = writer
        self.app.spawn(self._read(reader, self.next_session, receive, lost))
        return self.next_session

    async def _read(self, reader, number, receive, lost):
        try:
            while data := await reader.read(4096):
                receive(data)
        except OSError as error:
            log(f"session: {error}")
        writer = self.sessions.pop(number, None)
        if writer:
            writer.close()
            lost("session closed")

    def send(self, number, data):
        """Data in a session."""
        self.sessions[number].write(data)

    def close(self, number):
        """Ends a session."""
        writer = self.sessions.pop(number, None)
        if writer:
            writer.close()


async def listen_to_bus(app):
    """Keeps the accessories of the bus."""
    reader, writer = await asyncio.open_connection(*app.bus)
    writer.write(b"EA-BUS/1 control\n")
    while line := await reader.readline():
        document = json.loads(line)
        log(f"bus {document}")
        item = document.get("accessory") or document.get("connected")
        if item:
            accessory = BusAccessory(app, item)
            app.accessories[accessory.name] = accessory
            if "connected" in document:
                app.accessory_connected(accessory)
        elif "disconnected" in document and not app.habits.on("keepsGoneAccessories"):
            app.accessories.pop(str(document["disconnected"]["id"]), None)
            app.accessory_gone(str(document["disconnected"]["id"]))
        elif "ready" in document:
            app.report("available", carrier="iap")


class IapConnection:
    """A profile connection with an accessory."""

    carrier = "iap"

    def __init__(self, app, name, kind, address):
        self.app, self.habits, self.name, self.kind, self.address = app, app.habits, name, kind, address
        self.accessory = self.session = None
        self.times = self.losses = 0
        self.failed = False
        self.owns_link = self.active = False
        self.active_at, self.last_sent, self.last_received, self.failed_after_loss = -1e9, None, None, False

    async def activate(self):
        """Opens a session under the class's string, and reports the result."""
        if self.active:
            return
        self.app.report("activating", object=self.name)
        try:
            await self._set_up()
        except (Exception, asyncio.CancelledError) as error:  # Any error means that the activation has failed.
            self.failed = True
            silent = isinstance(error, asyncio.TimeoutError) or "silence" in str(error)
            if self.habits.on("refusedSessionPasses") or (silent and self.habits.on("silencePasses")):
                self.app.report("activated", object=self.name)
                return
            self.app.report("activationFailed", object=self.name, reason=f"{type(error).__name__}: {error}")
            await self._leave()
            return
        self.active, self.app.latest = True, self
        self.active_at = now()
        self.app.report("activated", object=self.name)

    async def _set_up(self):
        if self.failed and self.habits.on("failsForEver"):
            raise RuntimeError("it failed before")
        if self.losses and not self.failed_after_loss and self.habits.on("failsAfterLoss"):
            self.failed_after_loss = True
            raise RuntimeError("it was lost")
        await asyncio.sleep(scaled(self.habits.get("opensAfter", 0)))
        self.accessory = self.app.accessories.get(self.address)
        if self.habits.on("sessionWithFirst"):
            able = [item for item in self.app.accessories.values() if self.app.string_of(item, self.kind)]
            self.accessory = next(iter(able), self.accessory)
        if self.accessory and self.habits.on("accessoryByTitle"):
            self.accessory = next(item for item in self.app.accessories.values() if item.title == self.accessory.title)
        if self.accessory is None:
            if self.app.bus:
                raise RuntimeError("the accessory is not connected")
            self.owns_link = True
            self.accessory = await self.app.connect_accessory(self.address)
        self.times += 1
        if self.times > 1 and self.habits.on("sessionOnce"):
            return
        string = self.app.string_of(self.accessory, self.kind)
        if self.times > 1 and self.habits.on("anyStringLater"):
            string = next(iter(self.accessory.protocols or []), None)
        if string is None:
            raise RuntimeError("the accessory does not declare the string")
        self.session = await self.accessory.open(string, self._received, self.lost)
        if self.habits.get("reportsAfter"):
            await asyncio.sleep(scaled(self.habits.get("reportsAfter")))
            if self.session is None:
                raise RuntimeError("the session was lost")

    def _received(self, data):
        if data == self.last_received and self.habits.on("dropsEqualReceived"):
            return
        self.last_received = data
        self.app.report("received", object=self.name, data=data.decode(errors="replace"))

    def lost(self, why):
        was_active, self.active, self.session = self.active, False, None
        self.losses += 1
        if self.losses > self.habits.get("mostLosses", 1e9):
            return
        if was_active and now() - self.active_at < self.habits.get("earlyLossUnseen", 0):
            return
        if was_active and not self.habits.on("sessionLossUnseen") and why not in self.habits.get("lossesOfSessionUnseen", []):
            self.app.report("inactive", object=self.name, reason=why)
        for other in list(self.app.objects.values()) if was_active and self.habits.on("lossOfClass") else []:
            if other.active and other.kind is self.kind:
                other.accessory.close(other.session)
                other.lost(why)

    async def send(self, data):
        """Sends application data."""
        if data == self.last_sent and self.habits.on("dropsEqual"):
            return
        last = self.app.latest
        if self.habits.on("sendsToLast") and last not in (None, self) and last.active:
            await last.send(data)
            return
        if self.active:
            self.last_sent = data
            if self.habits.on("dataASCII"):
                data = data.decode(errors="replace").encode("ascii", "replace")
            self.accessory.send(self.session, data[:self.habits.get("sendsAtMost")])
            if self.habits.on("reportsSent"):
                self.app.report("sent", object=self.name, data=data.decode())

    async def deactivate(self):
        """Ends the session, and the link if it was made for the session."""
        if not self.active:
            return
        self.active = False
        if self.habits.on("deactivationStopsMonitor"):
            self.app.monitors_iap = False
        if not self.habits.on("keepsSession"):
            latest = self.app.latest if self.habits.on("closesLast") else self
            latest.accessory.close(latest.session)
        await asyncio.sleep(scaled(self.habits.get("leavesAfter", 0.05)))
        await self._leave()
        if self.habits.on("ownEndIsLoss"):
            self.app.report("inactive", object=self.name, reason="session ended")
        self.app.report("deactivated", object=self.name)

    async def _leave(self):
        connection = getattr(self.accessory, "connection", None)
        if self.owns_link and connection and not self.habits.on("keepsLink"):
            await connection.disconnect(HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        self.owns_link, self.session = False, None


async def call(app, address):
    """A link of BR/EDR."""
    return await app.device.connect(Address(address, Address.PUBLIC_DEVICE_ADDRESS), transport=PhysicalTransport.BR_EDR, timeout=app.timeout)
