import Bluetooth

/// A Bluetooth controller without a radio: packets from a host in, packets to the host out.
///
/// It has no clock and does no I/O. It answers every command, claims only what it implements and
/// decides nothing that a suite judges. `Air` reports to it what happens on the air, and queries
/// what the host wants of the air.
package struct VirtualController: Sendable {
    /// An action of the host that a remote device must be notified of.
    package enum HostEvent: Sendable, Hashable {
        /// The host has sent a unit on a link.
        case sent(handle: UInt16, L2CAPFrame)
        /// The host has ended a link.
        case disconnected(handle: UInt16)
        /// The host wants a BR/EDR connection to a device.
        case paged(DeviceAddress)
        /// The host has accepted or refused the BR/EDR connection that a device wants.
        case answeredPage(DeviceAddress, isAccepted: Bool)
        /// The host wants the link encrypted with a key.
        case encrypts(handle: UInt16, key: [UInt8])
    }

    /// A link as the controller sees it.
    struct Link: Sendable {
        let remote: DeviceAddress
        /// The address by which the remote device knows the host.
        let local: DeviceAddress
        var fromHost = L2CAPReassembly()
    }

    /// The parameters of the host's scan.
    package struct Scan: Sendable, Hashable {
        /// Whether it asks for scan responses.
        package let isActive: Bool
        let isExtended: Bool
        let filtersDuplicates: Bool
        let usesAcceptList: Bool
    }

    package let settings: ControllerSettings
    /// Packets for the host, oldest first; `takeOutgoing` takes them.
    private var outgoing: [[UInt8]] = []
    private var hostEvents: [HostEvent] = []
    private var reader = H4Reader()
    /// Packets that arrived while it was mute.
    private var unheard: [[UInt8]] = []
    /// Whether it neither answers nor reports anything.
    package private(set) var isMute = false

    // The state that a reset clears.
    var state = HostState()
    private var nextHandle: UInt16

    /// The settings of the host, which a reset clears.
    struct HostState: Sendable {
        /// The default of Core 5.4 Vol 4 Part E 7.3.1, without LE Meta events.
        var eventMask: UInt64 = 0x1FFF_FFFF_FFFF
        /// The default of 7.8.1.
        var leEventMask: UInt64 = 0x1F
        var randomAddress: DeviceAddress?
        var scanParameters = (isActive: false, isExtended: false, usesAcceptList: false)
        var scan: Scan?
        /// Reports sent since scanning began, for the filter of duplicates.
        var reported: Set<AdvertisingReport> = []
        var usesExtended: Bool?
        var initiation: Initiation?
        var acceptList: Set<DeviceAddress> = []
        var advertising = HostAdvertising()
        var links: [UInt16: Link] = [:]
        var localName: [UInt8] = []
        var deviceClass: Int64 = 0
        /// The state of page scan and inquiry scan; bit 1 is page scan.
        var scanEnable: UInt8 = 0
        /// Devices whose connection requests the host has not answered.
        var pages: Set<DeviceAddress> = []
    }

    /// Creates a controller that has just been powered on; it may start mute.
    package init(_ settings: ControllerSettings, isMute: Bool = false) {
        self.settings = settings
        self.isMute = isMute
        nextHandle = settings.firstHandle
    }

    /// Processes bytes from the host.
    package mutating func receive(_ bytes: [UInt8]) {
        let packets = reader.consume(bytes.span.bytes)
        if isMute {
            unheard += packets
        } else {
            for packet in packets { consume(packet) }
        }
    }

    /// Returns the packets for the host since the last call.
    package mutating func takeOutgoing() -> [[UInt8]] {
        defer { outgoing = [] }
        return outgoing
    }

    /// Returns the host's actions since the last call.
    package mutating func takeHostEvents() -> [HostEvent] {
        defer { hostEvents = [] }
        return hostEvents
    }

    /// Mutes the controller, or unmutes it and processes what the host sent meanwhile.
    package mutating func mute(_ isMute: Bool) {
        self.isMute = isMute
        guard !isMute else { return }
        let packets = unheard
        unheard = []
        for packet in packets { consume(packet) }
    }

    private mutating func consume(_ packet: [UInt8]) {
        switch try? HCIPacket(parsing: packet.span.bytes) {
        case .command(let command): carryOut(command.opcode, command.parameters)
        case .acl(let data): consume(data)
        case nil: if let opcode = HCICommand.opcode(of: packet) { carryOut(opcode, nil) }
        default: break
        }
    }

    /// Returns the packet's credit, as a radio does after sending it, and passes the unit on.
    private mutating func consume(_ packet: ACLPacket) {
        guard let link = state.links[packet.handle] else { return }
        let completed: HCIParameters = [
            .connectionHandle: .number(packet.handle), .numComplPackets: 1,
        ]
        send(HCIEvent(.numberOfCompletedPackets, [.handles: .records([completed])]))
        var reassembly = link.fromHost
        let unit = try? reassembly.consume(packet)
        state.links[packet.handle]?.fromHost = reassembly
        if let unit { emit(.sent(handle: packet.handle, unit)) }
    }

    mutating func emit(_ hostEvent: HostEvent) { hostEvents.append(hostEvent) }

    /// Clears all state; links end without an event.
    mutating func reset() {
        for handle in state.links.keys.sorted() { emit(.disconnected(handle: handle)) }
        state = HostState()
    }

    /// Returns the next handle that is not in use.
    private mutating func takeHandle() -> UInt16 {
        repeat {
            nextHandle = nextHandle >= 0x0EFF ? 1 : nextHandle + 1
        } while state.links[nextHandle] != nil
        return nextHandle
    }

    // MARK: Events

    /// Sends an event, unless the host has masked it; no mask suppresses answers and credits.
    mutating func send(_ event: HCIEvent) {
        let isUnmaskable = [.commandComplete, .commandStatus, .numberOfCompletedPackets]
            .contains(event.kind)
        guard isUnmaskable || selects(event.kind) else { return }
        outgoing.append(HCIPacket.event(event).bytes)
    }

    /// Whether the host wants an event; for an LE event also its subevent (7.3.1, 7.8.1).
    func selects(_ kind: HCIEventKind) -> Bool {
        state.eventMask >> UInt64(kind.code - 1) & 1 == 1
            && kind.subevent.map { state.leEventMask >> UInt64($0 - 1) & 1 == 1 } ?? true
    }

    // MARK: Links

    /// Records a new link and returns its handle.
    mutating func open(_ remote: DeviceAddress, as local: DeviceAddress) -> UInt16 {
        let handle = takeHandle()
        state.links[handle] = Link(remote: remote, local: local)
        return handle
    }

    /// Returns the host's address as the device at the other end of a link knows it.
    package func localAddress(on handle: UInt16) -> DeviceAddress {
        state.links[handle]?.local ?? settings.address
    }

    /// Returns the address of the host: its public one, or the random one that it has set.
    func ownAddress(isRandom: Bool) -> DeviceAddress {
        isRandom ? state.randomAddress ?? settings.address : settings.address
    }

    /// Returns the handle of the host's link to a device; `nil` if there is none.
    package func handle(to remote: DeviceAddress) -> UInt16? {
        state.links.first { $0.value.remote == remote }?.key
    }

    /// Passes a unit from a remote device to the host.
    ///
    /// - Parameter pieces: Bytes of the unit in one ACL packet, if fewer than the link's limit.
    package mutating func deliver(
        _ unit: L2CAPFrame, on handle: UInt16, inPiecesOf pieces: Int? = nil
    ) {
        guard state.links[handle] != nil else { return }
        let length = min(settings.aclLength, pieces ?? settings.aclLength)
        outgoing += ACLPacket.fragments(of: unit.bytes, handle: handle, size: length)
            .map { HCIPacket.acl($0).bytes }
    }

    /// Ends a link for a reason other than a request of the host (Vol 1 Part F 2).
    package mutating func lose(_ handle: UInt16, reason: UInt8) {
        guard state.links.removeValue(forKey: handle) != nil else { return }
        send(.disconnected(handle, reason: reason))
    }

    /// Reports whether the encryption that the host requested is on.
    package mutating func encrypted(_ handle: UInt16, status: UInt8) {
        send(
            HCIEvent(
                .encryptionChange,
                [
                    .status: .number(status), .connectionHandle: .number(handle),
                    .encryptionEnable: status == 0 ? 1 : 0,
                ]))
    }
}
