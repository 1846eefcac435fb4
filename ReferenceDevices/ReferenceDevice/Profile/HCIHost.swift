import Bluetooth

/// The lower part of a Bluetooth host: one controller with its commands, links and data.
///
/// `receive` returns events, `takeOutgoing` returns the bytes to send. It starts as Zephyr does. It
/// sends a command only when the previous one is answered, and never sends more data than the
/// controller has room for (Core 5.4 Vol 4 Part E 4.1, 4.4).
struct HCIHost: Sendable {
    /// Something that has happened.
    enum Event: Sendable {
        /// The controller is ready.
        case ready
        case advertisement(DeviceAddress, data: [UInt8], rssi: Int8, isScanResponse: Bool)
        case connected(UInt16, DeviceAddress)
        case connectionFailed(UInt8)
        case disconnected(UInt16, reason: UInt8)
        case data(UInt16, L2CAPFrame)
    }

    /// The room for data in the controller, separate for each kind of link.
    private struct Room: Sendable {
        /// The maximum size of a packet in bytes.
        var length = 27
        /// The number of packets that it can take now.
        var credits = 0
        var waiting: [ACLPacket] = []

        /// Adopts the limits that the controller has stated.
        mutating func limit(_ values: HCIParameters?, length: HCIField, packets: HCIField) {
            guard let bytes = values?.uint16(length), let count = values?.uint16(packets) else {
                return
            }
            self.length = max(27, Int(bytes))
            credits = Int(count)
        }
    }

    private static let ownAddress: UInt64 = 0xD0EF_0000_0001

    private var reader = H4Reader()
    private var outgoing: [UInt8] = []
    private var commands: [HCICommand] = []
    /// The command that has not been answered.
    private var pending: HCIOpcode?
    private(set) var isReady = false
    private var isExtended = false
    /// Whether the controller supports BR/EDR as well.
    private(set) var isDual = false
    private var lowEnergyRoom = Room()
    private var classicRoom = Room()
    private var inFlight: [UInt16: Int] = [:]
    private var reassemblies: [UInt16: L2CAPReassembly] = [:]
    /// The established links, with the devices at their other ends.
    private(set) var links: [UInt16: DeviceAddress] = [:]
    /// The links over BR/EDR.
    private var classicLinks: Set<UInt16> = []
    /// The device for which a link over BR/EDR was last requested.
    private var paged: DeviceAddress?

    /// Starts with a reset; later commands depend on the answers.
    mutating func start() {
        for opcode: HCIOpcode in [
            .reset, .readLocalSupportedFeatures, .readLocalVersionInformation,
            .readLocalSupportedCommands, .leReadLocalSupportedFeatures, .leReadBufferSize,
        ] { command(opcode) }
        command(.leSetEventMask, [.leEventMask: 0x1FFF])
        command(.setEventMask, [.eventMask: 0x3FFF_FFFF_FFFF_FFFF])
        command(.readBDADDR)
        command(.leSetRandomAddress, [.bdAddr: .address(Self.ownAddress)])
    }

    /// Returns the bytes to send since the last call.
    mutating func takeOutgoing() -> [UInt8] {
        defer { outgoing = [] }
        return outgoing
    }

    // MARK: Commands of the host

    mutating func scan(_ isOn: Bool, isActive: Bool = true) {
        if isOn {
            let scan: HCIParameters = [
                .leScanType: isActive ? 1 : 0, .leScanInterval: 0x60, .leScanWindow: 0x30,
            ]
            if isExtended {
                command(
                    .leSetExtendedScanParameters,
                    [.leOwnAddressType: 1, .leScanPhys: 1, .leScanPhyParam: .records([scan])])
            } else {
                command(
                    .leSetScanParameters, scan.merging([.leOwnAddressType: 1]))
            }
        }
        // Duplicates are filtered here, not by the controller.
        command(
            isExtended ? .leSetExtendedScanEnable : .leSetScanEnable,
            [.leScanEnable: isOn ? 1 : 0])
    }

    /// Enables scanning at once, even if other commands have not been answered.
    mutating func scanAtOnce() {
        let scan = HCICommand(.leSetScanEnable, [.leScanEnable: 1])
        outgoing += HCIPacket.command(scan).bytes
    }

    /// Requests a link, over BR/EDR if the address is public and the controller supports it.
    ///
    /// - Parameter byList: Whether the filter accept list selects the device.
    mutating func connect(
        to address: DeviceAddress, overLowEnergy: Bool = false, byList: Bool = false
    ) {
        paged = isDual && !address.isRandom && !overLowEnergy ? address : nil
        guard paged == nil else {
            // All packet types, page scan R1, no clock offset, roles may switch (7.1.5).
            return command(
                .createConnection,
                [
                    .bdAddr: .address(address.value), .packetType: 0xCC18,
                    .pageScanRepetitionMode: 1, .allowRoleSwitch: 1,
                ])
        }
        if byList {
            command(.leClearFilterAcceptList)
            command(
                .leAddDeviceToFilterAcceptList,
                [.leAddressType: .number(address.type), .bdAddr: .address(address.value)])
        }
        let request: HCIParameters = [
            .leInitiatorFilterPolicy: byList ? 1 : 0, .leOwnAddressType: 1,
            .lePeerAddressType: .number(byList ? 0 : address.type),
            .bdAddr: .address(byList ? 0 : address.value),
        ]
        let link: HCIParameters = [
            .leScanInterval: 0x60, .leScanWindow: 0x30, .leConIntervalMin: 0x18,
            .leConIntervalMax: 0x28, .leSupvTimeout: 0x48,
        ]
        if isExtended {
            command(
                .leExtendedCreateConnection,
                request.merging([.leInitPhys: 1, .leInitPhyParam: .records([link])]))
        } else {
            command(.leCreateConnection, request.merging(link))
        }
    }

    /// Advertises under the random address until a device connects.
    mutating func advertise(_ data: [UInt8]) {
        command(
            .leSetAdvertisingParameters,
            [
                .leAdvtsIntervalMin: 0x20, .leAdvtsIntervalMax: 0x20, .leOwnAddressType: 1,
                .leAdvtsChannelMap: 7,
            ])
        command(
            .leSetAdvertisingData, [.leDataLength: .number(data.count), .data: .bytes(data)])
        command(.leSetAdvertisingEnable, [.leAdvtsEnable: 1])
    }

    mutating func cancelConnection() {
        if let paged {
            command(.createConnectionCancel, [.bdAddr: .address(paged.value)])
        } else {
            command(.leCreateConnectionCancel)
        }
    }

    /// Whether a link is over BR/EDR.
    func isClassic(_ handle: UInt16) -> Bool { classicLinks.contains(handle) }

    mutating func disconnect(_ handle: UInt16) {
        command(.disconnect, [.connectionHandle: .number(handle), .reason: 0x13])
    }

    mutating func send(_ payload: [UInt8], channel: UInt16, on handle: UInt16) {
        let unit = L2CAPFrame(channel: channel, payload: payload).bytes
        with(isClassic(handle)) { room in
            room.waiting += ACLPacket.fragments(
                of: unit, handle: handle, size: room.length, first: .firstNonFlushable)
        }
        sendWaiting()
    }

    private mutating func with(_ isClassic: Bool, _ body: (inout Room) -> Void) {
        if isClassic { body(&classicRoom) } else { body(&lowEnergyRoom) }
    }

    private mutating func command(_ opcode: HCIOpcode, _ parameters: HCIParameters = [:]) {
        commands.append(HCICommand(opcode, parameters))
        sendCommand()
    }

    private mutating func sendCommand() {
        guard pending == nil, !commands.isEmpty else { return }
        let command = commands.removeFirst()
        pending = command.opcode
        outgoing += HCIPacket.command(command).bytes
    }

    private mutating func sendWaiting() {
        for room in [\HCIHost.lowEnergyRoom, \HCIHost.classicRoom] {
            while self[keyPath: room].credits > 0, !self[keyPath: room].waiting.isEmpty {
                let packet = self[keyPath: room].waiting.removeFirst()
                self[keyPath: room].credits -= 1
                inFlight[packet.handle, default: 0] += 1
                outgoing += HCIPacket.acl(packet).bytes
            }
        }
    }

    // MARK: Input from the controller

    /// Handles bytes of the controller.
    mutating func receive(_ bytes: [UInt8]) -> [Event] {
        reader.consume(bytes.span.bytes).flatMap { packet -> [Event] in
            switch try? HCIPacket(parsing: packet.span.bytes) {
            case .acl(let packet): data(packet)
            case .event(let event): self.event(event)
            default: []
            }
        }
    }

    private mutating func data(_ packet: ACLPacket) -> [Event] {
        guard links[packet.handle] != nil else { return [] }
        var reassembly = reassemblies[packet.handle] ?? L2CAPReassembly()
        let unit = try? reassembly.consume(packet)
        reassemblies[packet.handle] = reassembly
        return unit.map { [.data(packet.handle, $0)] } ?? []
    }

    private mutating func event(_ event: HCIEvent) -> [Event] {
        let parameters = event.parameters
        switch event.kind {
        case .connectionComplete, .leConnectionComplete, .leEnhancedConnectionComplete:
            return connected(event)
        // Every caller is accepted; the caller remains central (7.1.8).
        case .connectionRequest:
            command(
                .acceptConnectionRequest,
                [.bdAddr: .address(parameters.address() ?? 0), .role: 1])
        case .disconnectionComplete where event.status == 0:
            return disconnected(
                parameters.uint16(.connectionHandle) ?? 0, reason: parameters.uint8(.reason) ?? 0)
        case .commandComplete, .commandStatus: return answered(event)
        case .numberOfCompletedPackets: completed(parameters.records(.handles))
        case .leAdvertisingReport:
            return reports(parameters) { $0.uint8(.leAdvtsEventType) == 4 }
        case .leExtendedAdvertisingReport:
            return reports(parameters) { ($0.uint8(.leExtAdvtsEventType) ?? 0) & 8 != 0 }
        default: break
        }
        return []
    }

    private mutating func connected(_ event: HCIEvent) -> [Event] {
        guard let connection = event.connection else { return [] }
        guard connection.status == 0 else { return [.connectionFailed(connection.status)] }
        let isClassic = !connection.isLowEnergy
        let address = event.parameters.deviceAddress(typedBy: isClassic ? nil : .lePeerAddressType)
        if isClassic { classicLinks.insert(connection.handle) }
        links[connection.handle] = address
        return [.connected(connection.handle, address)]
    }

    private mutating func disconnected(_ handle: UInt16, reason: UInt8) -> [Event] {
        guard links.removeValue(forKey: handle) != nil else { return [] }
        reassemblies[handle] = nil
        // Data in flight on the link counts as completed (Vol 4 Part E 4.3).
        let freed = inFlight.removeValue(forKey: handle) ?? 0
        with(isClassic(handle)) { room in
            room.credits += freed
            room.waiting.removeAll { $0.handle == handle }
        }
        classicLinks.remove(handle)
        sendWaiting()
        return [.disconnected(handle, reason: reason)]
    }

    /// Handles the answer to a command.
    private mutating func answered(_ event: HCIEvent) -> [Event] {
        guard let opcode = event.answered, pending == opcode else { return [] }
        pending = nil
        defer { sendCommand() }
        let status = event.status ?? 0
        let values = event.returned
        switch opcode {
        // "BR/EDR not supported" is bit 37 (Vol 2 Part C 3.3).
        case .readLocalSupportedFeatures:
            guard let features = values?.bytes(.lmpFeatures), features[4] & 0x20 == 0 else { break }
            isDual = true
            // Reads the BR/EDR buffer sizes and enables page scan (7.4.5, 7.3.18).
            let last = max(0, commands.count - 1)
            commands.insert(HCICommand(.readBufferSize), at: last)
            commands.insert(HCICommand(.writeScanEnable, [.scanEnable: 2]), at: last)
        case .readBufferSize:
            classicRoom.limit(values, length: .maxDataLengthAcl, packets: .maxDataNumAcl)
        case .leReadLocalSupportedFeatures:
            isExtended = (values?.number(.leFeatures) ?? 0) & 0x1000 != 0
        case .leReadBufferSize:
            lowEnergyRoom.limit(values, length: .leAclDataPktLen, packets: .leTotalNumAclDataPkts)
        case .leSetRandomAddress:
            isReady = true
            return [.ready]
        case .leCreateConnection, .leExtendedCreateConnection, .createConnection:
            if status != 0 { return [.connectionFailed(status)] }
        default: break
        }
        return []
    }

    private mutating func completed(_ records: [HCIParameters]) {
        for record in records {
            let handle = record.uint16(.connectionHandle) ?? 0
            let count = min(Int(record.uint16(.numComplPackets) ?? 0), inFlight[handle] ?? 0)
            inFlight[handle, default: 0] -= count
            with(isClassic(handle)) { $0.credits += count }
        }
        sendWaiting()
    }

    private func reports(
        _ parameters: HCIParameters, isScanResponse: (HCIParameters) -> Bool
    ) -> [Event] {
        parameters.records(.reports).map { report in
            .advertisement(
                report.deviceAddress(typedBy: .lePeerAddressType),
                data: report.bytes(.data) ?? [],
                rssi: Int8(clamping: report.number(.rssi) ?? 0),
                isScanResponse: isScanResponse(report))
        }
    }
}
