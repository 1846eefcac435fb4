"""A profile connection over GATT: what activation does, and what deactivation undoes."""

import asyncio

from bumble import gatt
from bumble.core import UUID
from bumble.device import Peer
from bumble.hci import HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR, Phy

from common import log, scaled

CCCD, NAME, CHANGED = UUID.from_16_bits(0x2902), UUID.from_16_bits(0x2A00), UUID.from_16_bits(0x2A05)


class GattConnection:
    """One device, and the class of its connection."""

    carrier = "gatt"

    def __init__(self, app, name, kind, address, manual=False):
        self.app, self.habits, self.name, self.kind, self.address, self.manual = app, app.habits, name, kind, address, manual
        self.connection = self.peer = self.writes = self.setup = None
        self.owns_link = self.active = False
        self.channels, self.characteristics, self.losses = [], [], 0

    # Activation

    async def activate(self):
        """Activates, and reports the result."""
        if self.active:
            return
        self.app.report("activating", object=self.name)
        self.setup = asyncio.ensure_future(self._set_up())
        try:
            await self.setup
        except (Exception, asyncio.CancelledError) as error:  # Anything that Bumble raises means that the activation has failed.
            connection, owned = self.connection, self.owns_link
            self._forget()
            if self.habits.on("failsSilently"):
                return
            self.app.report("activationFailed", object=self.name, reason=f"{type(error).__name__}: {error}")
            if owned and connection and connection.handle in self.app.device.connections and not self.habits.on("failedKeepsLink"):
                await connection.disconnect(HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
            return
        finally:
            self.setup = None
        self._is_active()
        if self.habits.on("updatesParameters"):
            await self._tolerant(self.connection.update_parameters(30, 50, 0, 4000))

    def _is_active(self):
        if not self.active:
            self.active = True
            self.app.report("activated", object=self.name)

    async def _tolerant(self, work):
        try:
            await work
        except Exception as error:  # A refusal has no consequence.
            log(f"refused: {error}")

    async def _step(self):
        await asyncio.sleep(scaled(self.habits.get("stepPause", 0)))

    async def _set_up(self):
        self.connection = self.app.link(self.address)
        if self.manual and (self.connection is None or self.habits.on("manualFails")) and not self.habits.on("manualConnects"):
            raise RuntimeError("the device is not connected, and no object connects it")
        if self.connection is None:
            self.owns_link = True
            self.connection = await self.app.connect(self.address)
        self.connection.on("disconnection", self._lost)
        self.peer = Peer(self.connection)
        await self._begin_link()
        if not (self.losses and self.habits.on("keepsHandles") and self.characteristics):
            await self._discover()
        steps = [self._subscribe_all, self._read_all]
        if self.habits.on("readsFirst"):
            steps.reverse()
        if self.habits.on("activeEarly"):
            self._is_active()
        for step in steps:
            await self._step()
            await step()
        if self.kind.get("writes"):
            self.writes = self._named(self.kind["writes"])

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
        if not services and not self.habits.on("missingIsSuccess"):
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

    def _named(self, uuid):
        found = next((c for c in self.characteristics if c.uuid == UUID(uuid)), None)
        if found is None and not self.habits.on("missingIsSuccess"):
            raise RuntimeError(f"no characteristic {uuid}")
        return found

    async def _subscribe_all(self):
        uuids = self.kind.get("subscribes", [])[:self.habits.get("mostSubscriptions")]
        if self.losses and self.habits.on("subscribesOnce"):
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
            await (self._tolerant(work) if self.habits.on("refusedReadPasses") else work)

    async def _values_of(self, uuid):
        """The values of a UUID; Bumble returns no value if the read is refused."""
        values = await self.peer.gatt_client.read_characteristics_by_uuid(uuid, None)
        if not values:
            raise RuntimeError("the read was refused")
        return values

    # In between

    def _received(self, value):
        if self.active or self.habits.on("receivesEarly"):
            self.app.report("received", object=self.name, data=bytes(value).decode(errors="replace"))

    async def send(self, data):
        """Sends application data, in pieces that fit into the MTU."""
        if not self.active and not (self.habits.on("sendsEarly") and self.connection):
            if self.habits.on("reportsRefused"):
                self.app.report("refused", object=self.name, reason="not active")
            return
        characteristic = self.writes or self._named(self.kind["writes"])
        size = self.connection.att_mtu - 3
        pieces = [data[at:at + size] for at in range(0, max(1, len(data)), size)]
        if len(pieces) > 1 and self.habits.on("longWrites"):
            await self.peer.gatt_client.write_long_value(characteristic.handle, data)
            return
        for piece in pieces:
            await characteristic.write_value(piece[:self.habits.get("sendsAtMost")], with_response=self.active)
        if self.habits.on("reportsSent"):
            self.app.report("sent", object=self.name, data=data.decode())

    def _lost(self, reason):
        was_active = self.active
        self.losses += 1
        if self.habits.on("lossUnseen") or reason in self.habits.get("lossesUnseen", []):
            self.connection = self.peer = None
            self.owns_link = False
            return
        self._forget()
        if self.setup and not self.habits.on("lossWhileActivatingUnseen"):
            self.setup.cancel()
        if was_active:
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
        connection, owned, channels = self.connection, self.owns_link, self.channels
        connection.remove_listener("disconnection", self._lost)
        for characteristic in reversed(channels) if not self.habits.on("keepsSubscription") else []:
            if self.habits.on("notifiesAlways"):
                await characteristic.get_descriptor(CCCD).write_value(b"\x00\x00", with_response=True)
            else:
                await self.peer.unsubscribe(characteristic, self._received)
        await asyncio.sleep(scaled(self.habits.get("leavesAfter", 0)))
        self._forget()
        if (owned or self.habits.on("endsSystemLink")) and not self.habits.on("keepsLink"):
            await connection.disconnect(HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR)
        self.app.report("deactivated", object=self.name)
