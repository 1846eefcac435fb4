"""A profile connection over GATT: what activation does, and what deactivation undoes."""

import asyncio
import copy

from bumble import gatt
from bumble.core import UUID
from bumble.device import Peer
from bumble.hci import HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR, Phy

from common import log, now, scaled

CCCD, NAME, CHANGED = UUID.from_16_bits(0x2902), UUID.from_16_bits(0x2A00), UUID.from_16_bits(0x2A05)


class GattConnection:
    """One device, and the class of its connection."""

    carrier = "gatt"

    def __init__(self, app, name, kind, address, manual=False):
        self.app, self.habits, self.name, self.kind, self.address, self.manual = app, app.habits, name, kind, address, manual
        self.connection = self.peer = self.writes = self.setup = None
        self.owns_link = self.active = False
        self.channels, self.characteristics, self.losses = [], [], 0
        self.failed, self.times, self.ends = False, 0, 0
        self.active_at, self.waiting, self.last_sent, self.last_received, self.failed_after_loss = -1e9, [], None, None, False
        self.existed = False

    # Activation

    async def activate(self):
        """Activates, and reports the result."""
        if self.active:
            return
        if self.habits.on("oneSetup") and self.app.setups:
            return
        self.app.report("activating", object=self.name)
        self.setup = asyncio.ensure_future(self._set_up())
        self.app.setups += 1
        self.times += 1
        try:
            await self.setup
        except (Exception, asyncio.CancelledError) as error:  # Anything that Bumble raises means that the activation has failed.
            connection, owned = self.connection, self.owns_link
            self.failed = True
            for other in list(self.app.objects.values()) if self.habits.on("failureEndsOthers") else []:
                if other.active and other is not self:
                    self.app.spawn(other.deactivate())
            self._forget()
            if self.habits.on("failsSilently"):
                return
            self.app.report("activationFailed", object=self.name, reason=f"{type(error).__name__}: {error}")
            if owned and connection and connection.handle in self.app.device.connections and not self.habits.on("failedKeepsLink"):
                await connection.disconnect(HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
            return
        finally:
            self.setup = None
            self.app.setups -= 1
        self._is_active()
        if self.habits.get("pollsRSSI"):
            self.app.spawn(self._poll_rssi(self.connection))
        if self.habits.on("updatesParameters"):
            await self._tolerant(self.connection.update_parameters(30, 50, 0, 4000))

    def _is_active(self):
        if not self.active:
            self.active, self.app.activated, self.app.latest = True, True, self
            self.active_at = now()
            self.app.report("activated", object=self.name)

    async def _poll_rssi(self, connection):
        while self.active and connection is self.connection:
            await self._tolerant(connection.get_rssi())
            await asyncio.sleep(scaled(self.habits.get("pollsRSSI")))

    async def _tolerant(self, work):
        try:
            await work
        except Exception as error:  # A refusal has no consequence.
            log(f"refused: {error}")

    async def _step(self):
        await asyncio.sleep(scaled(self.habits.get("stepPause", 0)))

    async def _set_up(self):
        if self.failed and self.habits.on("failsForEver"):
            raise RuntimeError("it failed before")
        if self.losses and not self.failed_after_loss and self.habits.on("failsAfterLoss"):
            self.failed_after_loss = True
            raise RuntimeError("it was lost")
        if self.times > 1 and self.habits.on("laterFirstClass"):
            self.kind = self.app.classes[0]
        self.connection = self.app.link(self.address)
        self.existed = self.connection is not None
        if self.manual and ((self.times > 1 and self.habits.on("manualConnectsLater")) or (self.losses and self.habits.on("manualConnectsAfterLoss"))):
            self.manual = False
        if self.manual and self.connection is None and self.habits.on("manualTakesAnyLink"):
            self.connection = next(iter(self.app.device.connections.values()), None)
        if self.manual and (self.connection is None or self.habits.on("manualFails")) and not self.habits.on("manualConnects"):
            raise RuntimeError("the device is not connected, and no object connects it")
        if self.connection is None:
            self.owns_link = True
            self.connection = await self.app.connect(self.address)
            if self.habits.on("connectTimerStays"):
                link = self.connection
                asyncio.get_running_loop().call_later(scaled(self.app.timeout), lambda: self.app.spawn(link.disconnect()))
        self.app.made_link = self.owns_link
        self.connection.on("disconnection", self._lost)
        if self.habits.on("listensTwice") and self.times > 1:
            self.connection.on("disconnection", lambda reason: self.app.report("inactive", object=self.name, reason=f"{reason}"))
        self.peer = Peer(self.connection)
        await self._begin_link()
        if self.habits.on("handlesOfClass"):
            self.characteristics = self._of_class()
        known = (self.characteristics and self.habits.on("handlesOfClass")) or self.characteristics and (self.losses and self.habits.on("keepsHandles") or (self.ends and self.habits.on("discoversFirst")))
        if not known:
            await self._discover()
        self.app.handles.setdefault(self.kind["name"], self.characteristics)
        steps = [self._subscribe_all, self._read_all]
        for data in self.waiting if self.habits.on("queuesData") else []:
            await self._named(self.kind["writes"]).write_value(data, with_response=True)
        self.waiting = []
        if (self.existed and self.habits.on("existingLinkSkipsReads")) or (self.ends and self.habits.on("readsOnce")):
            steps.pop()
        if self.habits.on("readsFirst") or (self.losses and self.habits.on("readsFirstAfterLoss")):
            steps.reverse()
        if self.habits.on("activeEarly"):
            self._is_active()
        for step in steps:
            await self._step()
            await asyncio.wait_for(step(), scaled(self.habits.get("stepLimit")) if self.habits.get("stepLimit") else None)
        if self.kind.get("writes"):
            self.writes = self._named(self.kind["writes"])
        if self.habits.get("reportsAfter"):
            await asyncio.sleep(scaled(self.habits.get("reportsAfter")))

    async def _begin_link(self):
        connection = self.connection
        if self.habits.on("tunesLink"):
            await self._tolerant(connection.set_data_length(251, 2120))
            await self._tolerant(connection.set_phy([Phy.LE_2M], [Phy.LE_2M]))
            await self._tolerant(connection.get_remote_le_features())
        if self.habits.on("readsRSSI"):
            await self._tolerant(connection.get_rssi())
        if self.habits.on("pairs"):
            await self._tolerant(asyncio.wait_for(connection.pair(), 3))
        if self.habits.get("mtu", 517):
            await self.peer.request_mtu(self.habits.get("mtu", 517))
        if self.habits.on("readsName"):
            await self._tolerant(self.peer.gatt_client.read_characteristics_by_uuid(NAME, None))
        if self.habits.on("serviceChanged"):
            for service in await self.peer.discover_service(gatt.GATT_GENERIC_ATTRIBUTE_SERVICE):
                for characteristic in await service.discover_characteristics([CHANGED]):
                    await self._tolerant(self.peer.subscribe(characteristic))

    async def _discover(self):
        wanted = [UUID(uuid) for uuid in self.kind.get("interestedServiceUUIDs", [])]
        if self.habits.on("allServices") or self.app.config.get("discovery") == "all":
            services = [s for s in await self.peer.discover_services() if s.uuid in wanted or self.habits.on("takesOtherService")]
        else:
            services = [s for uuid in wanted for s in await self.peer.discover_service(uuid)]
        if not services and not self._passes_missing():
            raise RuntimeError("service not found")
        self.characteristics = []
        for service in services:
            await self._step()
            if self.habits.on("discoversIncluded"):
                await self._tolerant(self.peer.gatt_client.discover_included_services(service))
            self.characteristics += await service.discover_characteristics()
        if self.habits.on("readsDescriptors"):
            for characteristic in self.characteristics:
                for descriptor in await characteristic.discover_descriptors():
                    await self._tolerant(descriptor.read_value())

    def _of_class(self):
        """The characteristics of the first object of the class, on the link of this one: a mistake."""
        first = self.app.handles.get(self.kind["name"], [])
        found = []
        for known in first:
            own = copy.copy(known)
            own.client, own.descriptors, own.subscribers = self.peer.gatt_client, [], {}
            found.append(own)
        return found

    def _passes_missing(self):
        return self.habits.on("missingIsSuccess") or (self.times > 1 and self.habits.on("missingPassesLater"))

    def _named(self, uuid):
        found = next((c for c in self.characteristics if c.uuid == UUID(uuid)), None)
        if found is None and not self._passes_missing():
            raise RuntimeError(f"no characteristic {uuid}")
        return found

    async def _subscribe_all(self):
        uuids = self.kind.get("subscribes", [])[:self.habits.get("mostSubscriptions")]
        if self.ends and self.habits.on("laterSubscribesOne"):
            uuids = uuids[:1]
        if self.habits.on("subscribesAsFirst"):
            uuids = self.app.classes[0].get("subscribes", [])
        if (self.losses and self.habits.on("subscribesOnce")) or (self.ends and self.habits.on("subscribesFirst")):
            uuids = []
        for uuid in uuids:
            characteristic = self._named(uuid)
            if characteristic is None:
                continue
            await characteristic.discover_descriptors()
            if self.habits.on("readsCCCD"):
                await characteristic.get_descriptor(CCCD).read_value()
            work = self.peer.subscribe(characteristic, self._received)
            if self.habits.on("notifiesAlways"):
                await self._notify_bits(characteristic)
                work.close()
            elif self.habits.on("refusedSubscriptionPasses"):
                await self._tolerant(work)
            else:
                await work
            self.channels.append(characteristic)

    async def _notify_bits(self, characteristic):
        for subscribers in (self.peer.gatt_client.notification_subscribers, self.peer.gatt_client.indication_subscribers):
            subscribers.setdefault(characteristic.handle, set()).add(self._received)
        await characteristic.get_descriptor(CCCD).write_value(b"\x01\x00", with_response=True)

    async def _read_all(self):
        for uuid in self.kind.get("reads", [])[:self.habits.get("mostReads")] * self.habits.get("readTimes", 1):
            characteristic = self._named(uuid)
            if characteristic is None:
                continue
            if self.habits.on("readsByUUID"):
                work = self._values_of(characteristic.uuid)
            else:
                work = characteristic.read_value()
            value = await (self._tolerant(work) if self.habits.on("refusedReadPasses") else work)
            if self.habits.on("emptyFails") and value is not None and not len(value):
                raise RuntimeError("an empty value")

    async def _values_of(self, uuid):
        """The values of a UUID; Bumble returns no value if the read is refused."""
        values = await self.peer.gatt_client.read_characteristics_by_uuid(uuid, None)
        if not values:
            raise RuntimeError("the read was refused")
        return values

    # In between

    def _received(self, value):
        value = bytes(value)[:self.habits.get("receivesAtMost")]
        if (not value and self.habits.on("dropsEmptyReceived")) or (value == self.last_received and self.habits.on("dropsEqualReceived")):
            return
        self.last_received = value
        if self.active or self.habits.on("receivesEarly"):
            for _ in range(2 if self.habits.on("receivesTwice") and self.times > 1 else 1):
                owner = self.app.latest if self.habits.on("receivedByLast") and self.app.latest else self
                self.app.report("received", object=owner.name, data=bytes(value).decode(errors="replace"))

    async def send(self, data):
        """Sends application data, in pieces that fit into the MTU."""
        if not self.active and not (self.habits.on("sendsEarly") and self.connection):
            self.waiting.append(data)
            if self.habits.on("reportsRefused"):
                self.app.report("refused", object=self.name, reason="not active")
            return
        if data == self.last_sent and self.habits.on("dropsEqual"):
            return
        last = self.app.latest
        if self.habits.on("sendsToLast") and last not in (None, self) and last.active:
            await last.send(data)
            return
        self.last_sent = data
        characteristic = self.writes or self._named(self.kind["writes"])
        if self.habits.on("dropsEmpty") and not data:
            return
        if self.habits.on("dataASCII"):
            data = data.decode(errors="replace").encode("ascii", "replace")
        size = self.connection.att_mtu - 3
        pieces = [data[at:at + size] for at in range(0, max(1, len(data)), size)]
        if len(pieces) > 1 and self.habits.on("longWrites"):
            await self.peer.gatt_client.write_long_value(characteristic.handle, data)
            return
        for piece in pieces[:1 if self.habits.on("firstPiece") else None]:
            await characteristic.write_value(piece[:self.habits.get("sendsAtMost")], with_response=self.active)
        if self.habits.on("reportsSent"):
            self.app.report("sent", object=self.name, data=data.decode())

    def _lost(self, reason):
        was_active = self.active
        self.losses += 1
        if was_active and now() - self.active_at < self.habits.get("earlyLossUnseen", 0):
            self._forget()
            return
        if was_active and self.habits.on("lossOfLastOnly") and self.app.latest is not self:
            self._forget()
            return
        if self.habits.on("lossUnseen") or self.losses > self.habits.get("mostLosses", 1e9) or reason in self.habits.get("lossesUnseen", []):
            self.connection = self.peer = None
            self.owns_link = False
            return
        self._forget()
        if self.setup and not self.habits.on("lossWhileActivatingUnseen"):
            self.setup.cancel()
        if was_active:
            if self.habits.get("lossSeenAfter"):
                asyncio.get_running_loop().call_later(scaled(self.habits.get("lossSeenAfter")), lambda: self.app.report(
                    "inactive", object=self.name, reason=f"link ended: {reason}"))
            else:
                self.app.report("inactive", object=self.name, reason=f"link ended: {reason}")
            if self.habits.on("oneLossEndsAll"):
                for other in list(self.app.objects.values()):
                    if other.active:
                        self.app.spawn(other.deactivate())

    def _forget(self):
        self.connection = self.peer = self.writes = None
        self.owns_link = self.active = False
        self.channels = []

    # Deactivation

    async def deactivate(self):
        """Reverses the activation, the last step first."""
        if self.connection is None:
            return
        self.active = False
        self.ends += 1
        connection, owned, channels = self.connection, self.owns_link, self.channels
        if self.ends > 1 and self.habits.on("unsubscribesOnce"):
            channels = []
        connection.remove_listener("disconnection", self._lost)
        if self.habits.on("listensAfterwards"):
            connection.on("disconnection", lambda reason: self.app.report("inactive", object=self.name, reason=f"{reason}"))
        for characteristic in reversed(channels) if not self.habits.on("keepsSubscription") else []:
            if self.habits.on("notifiesAlways"):
                await characteristic.get_descriptor(CCCD).write_value(b"\x00\x00", with_response=True)
            else:
                await self.peer.unsubscribe(characteristic, self._received)
        await asyncio.sleep(scaled(self.habits.get("leavesAfter", 0)))
        self._forget()
        if self.habits.on("ownsLinkOfApp"):
            owned = self.app.made_link
        theirs = self.habits.on("endsSystemLink") or (self.ends > 1 and self.habits.on("endsSystemLinkLater"))
        if (owned or theirs) and not self.habits.on("keepsLink") and not (self.losses and self.habits.on("linkStaysAfterLoss")):
            await connection.disconnect(HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        if self.habits.on("ownEndIsLoss"):
            self.app.report("inactive", object=self.name, reason="link ended")
        self.app.report("deactivated", object=self.name)
        for other in list(self.app.objects.values()) if self.habits.on("endOfOneEndsAll") else []:
            if other.active:
                self.app.spawn(other.deactivate())
