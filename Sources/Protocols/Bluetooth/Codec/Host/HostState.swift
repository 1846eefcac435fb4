import Wire

/// The requests of a host to its controller that affect the meaning of later packets.
struct HostState: Sendable {
    /// The party that ended a link.
    enum Ender: String, Sendable {
        case device
        case remote
        case air

        /// The side whose streams have ended in an orderly way.
        var side: ConnectionSide? {
            switch self {
            case .device: .first
            case .remote: .second
            case .air: nil
            }
        }
    }

    /// A message, and the device that it is about.
    typealias Meaning = (PlainMessage, BluetoothNode?)

    /// A request for a link.
    private struct Attempt: Sendable {
        let address: UInt64?
        let isLowEnergy: Bool
    }

    /// The links that the host has asked to end.
    private var ending: Set<UInt16> = []
    /// The link that it asked to end last.
    private var lastEnding: UInt16?
    /// The links without packets of data: voice and isochronous ones.
    private var streams: Set<UInt16> = []
    private var attempts: [Attempt] = []
    /// Whether it scans; `nil` if not captured.
    private var isScanning: Bool?
    private var isAdvertising: Bool?
    private var isActiveScan: Bool?
    /// The advertised data by set; 0 for that of the first versions.
    private var advertised: [Int64: [UInt8]] = [:]

    /// The largest number of attempts and of sets that are kept.
    private static let itemsMax = 64

    /// Returns the party that ended a link, from the host's request and the controller's reason.
    ///
    /// Both are needed, because a controller may name the remote device for a link that the host
    /// ended.
    func ender(of handle: UInt16, reason: UInt8) -> Ender {
        if ending.contains(handle) || reason == 0x16 { return .device }
        return (0x13...0x15).contains(reason) ? .remote : .air
    }
}

// MARK: - Commands

extension HostState {
    /// Takes a command; `link` is its link, if known.
    mutating func consume(_ command: HCICommand, _ link: HostDecoder.Link?) -> [Meaning] {
        let values = command.parameters
        let remote = values.address().map { BluetoothNode.address($0) }
        switch command.opcode {
        case .reset:
            self = HostState()
            (isScanning, isAdvertising) = (false, false)
            return []
        case .disconnect: return disconnect(values, link)
        case .createConnection:
            record(Attempt(address: values.address(), isLowEnergy: false))
            return [
                (PlainMessage("bredr.connect", ["address": .address(values.address())]), remote)
            ]
        case .createConnectionCancel:
            return [
                (
                    PlainMessage(
                        "bredr.connectCanceled", ["address": .address(values.address())]), remote
                )
            ]
        case .acceptConnectionRequest:
            return [(PlainMessage("bredr.accept", ["address": .address(values.address())]), remote)]
        case .rejectConnectionRequest:
            return [
                (
                    PlainMessage(
                        "bredr.reject",
                        [
                            "address": .address(values.address()),
                            "reason": .number(values.number(.reason)),
                        ]), remote
                )
            ]
        case .leCreateConnection, .leExtendedCreateConnection: return connect(values)
        case .leCreateConnectionCancel: return [(PlainMessage("le.connectCanceled", [:]), nil)]
        case .leSetScanParameters:
            isActiveScan = values.number(.leScanType).map { $0 == 1 }
            return []
        case .leSetExtendedScanParameters:
            isActiveScan = values.records(.leScanPhyParam).first?.number(.leScanType)
                .map { $0 == 1 }
            return []
        case .leSetScanEnable: return scan(values, isExtended: false)
        case .leSetExtendedScanEnable: return scan(values, isExtended: true)
        default: return advertise(command)
        }
    }

    private mutating func disconnect(
        _ values: HCIParameters, _ link: HostDecoder.Link?
    ) -> [Meaning] {
        guard let handle = values.uint16(.connectionHandle), !streams.contains(handle) else {
            return []
        }
        ending.insert(handle)
        lastEnding = handle
        let family = link?.isLowEnergy == false ? "bredr" : "le"
        let message = PlainMessage(
            "\(family).disconnect",
            [
                "handle": .number(handle), "address": .address(link?.address),
                "reason": .number(values.number(.reason)),
            ])
        return [(message, link?.remote)]
    }

    private mutating func connect(_ values: HCIParameters) -> [Meaning] {
        let usesList = values.number(.leInitiatorFilterPolicy) == 1
        let address = usesList ? nil : values.address()
        record(Attempt(address: address, isLowEnergy: true))
        let message = PlainMessage(
            "le.connect", ["address": .address(address), "usesAcceptList": .bool(usesList)])
        return [(message, address.map { .address($0) })]
    }

    private mutating func record(_ attempt: Attempt) {
        if attempts.count >= Self.itemsMax { attempts.removeFirst() }
        attempts.append(attempt)
    }

    private mutating func scan(_ values: HCIParameters, isExtended: Bool) -> [Meaning] {
        guard values.number(.leScanEnable) != 0 else {
            defer { isScanning = false }
            return isScanning == false ? [] : [(PlainMessage("le.scanStopped", [:]), nil)]
        }
        isScanning = true
        let message = PlainMessage(
            "le.scan",
            [
                "active": isActiveScan.map { .bool($0) },
                "filter_duplicates": .bool(values.number(.leFilterDuplicates) != 0),
                "extended": .bool(isExtended),
            ])
        return [(message, nil)]
    }

    /// Takes a command of a peripheral.
    private mutating func advertise(_ command: HCICommand) -> [Meaning] {
        let values = command.parameters
        let set = values.number(.advertisingHandle) ?? 0
        switch command.opcode {
        case .leSetAdvertisingData:
            let count = Int(values.uint8(.leDataLength) ?? 0)
            advertised[0] = values.bytes(.data).map { Array($0.prefix(count)) }
        case .leSetExtendedAdvertisingData:
            // Fragments: 0 continues, 1 begins, 2 ends, 3 is complete, 4 leaves it unchanged
            // (7.8.54).
            let operation = values.number(.advDataOperation) ?? 3
            guard operation < 4, advertised.count < Self.itemsMax || advertised[set] != nil else {
                break
            }
            let known = operation == 0 || operation == 2 ? advertised[set] ?? [] : []
            advertised[set] = Array((known + (values.bytes(.data) ?? [])).prefix(1_650))
        case .leSetAdvertisingEnable:
            return advertise(values, sets: [0])
        case .leSetExtendedAdvertisingEnable:
            let sets = values.records(.leAdvSet).compactMap { $0.number(.advertisingHandle) }
            return advertise(values, sets: sets.isEmpty ? [0] : sets)
        default: break
        }
        return []
    }

    private mutating func advertise(_ values: HCIParameters, sets: [Int64]) -> [Meaning] {
        guard values.number(.leAdvtsEnable) != 0 else {
            defer { isAdvertising = false }
            return isAdvertising == false ? [] : [(PlainMessage("le.advertiseStopped", [:]), nil)]
        }
        isAdvertising = true
        return sets.map { set in
            let data = advertised[set] ?? []
            let message = PlainMessage(
                "le.advertise",
                [
                    "uuids": AdvertisingData(parsing: data).services.value,
                    "data": .bytes(data),
                ])
            return (message, nil)
        }
    }
}

// MARK: - Events

extension HostState {
    /// Takes an event; `link` is its link, if known.
    mutating func consume(_ event: HCIEvent, _ link: HostDecoder.Link?) -> [Meaning] {
        let values = event.parameters
        let family = link?.isLowEnergy == false ? "bredr" : "le"
        if let handle = event.streamHandle, streams.count < Self.itemsMax {
            streams.insert(handle)
        }
        switch event.kind {
        case .connectionComplete, .leConnectionComplete, .leEnhancedConnectionComplete,
            .leEnhancedConnectionCompleteV2:
            return connected(event)
        case .connectionRequest where event.isForData:
            let message = PlainMessage(
                "bredr.connectionRequest", ["address": .address(values.address())])
            return [(message, values.address().map { .address($0) })]
        case .disconnectionComplete where event.status == 0:
            guard let handle = values.uint16(.connectionHandle), streams.remove(handle) == nil
            else { return [] }
            let reason = values.uint8(.reason) ?? 0
            let message = PlainMessage(
                "\(family).disconnected",
                [
                    "handle": .number(handle), "address": .address(link?.address),
                    "reason": .number(reason),
                    "by": .string(ender(of: handle, reason: reason).rawValue),
                ])
            ending.remove(handle)
            return [(message, nil)]
        case .encryptionChange, .encryptionChangeV2, .encryptionKeyRefreshComplete:
            let message = PlainMessage(
                "\(family).encrypted",
                [
                    "handle": .number(values.number(.connectionHandle)),
                    "address": .address(link?.address),
                    "status": .number(values.number(.status)),
                    "enabled": values.number(.encryptionEnable).map { .bool($0 != 0) },
                ])
            return [(message, nil)]
        case .leAdvertisingReport, .leExtendedAdvertisingReport:
            return values.records(.reports).map(Self.advertisement)
        case .commandStatus: return refused(event)
        default: return []
        }
    }

    private mutating func connected(_ event: HCIEvent) -> [Meaning] {
        guard let link = event.connection else { return [] }
        let family = link.isLowEnergy ? "le" : "bredr"
        let index = attempts.firstIndex {
            $0.isLowEnergy == link.isLowEnergy
                && ($0.address == nil || $0.address == link.address || link.status != 0)
        }
        let attempt = index.map { attempts.remove(at: $0) }
        ending.remove(link.handle)
        if link.status == 0 { streams.remove(link.handle) }
        let values = event.parameters
        guard link.status == 0 else { return [failed(family, link.status, attempt)] }
        let message = PlainMessage(
            "\(family).connected",
            [
                "address": .address(link.address), "handle": .number(link.handle),
                "role": .number(values.number(.role)),
                "interval": .number(values.number(.leConInterval)), "status": 0,
            ])
        return [(message, nil)]
    }

    private func failed(_ family: String, _ status: UInt8, _ attempt: Attempt?) -> Meaning {
        let message = PlainMessage(
            "\(family).connectFailed",
            ["address": .address(attempt?.address), "status": .number(status)])
        return (message, nil)
    }

    /// Takes a Command Status that refuses to connect or to end a link.
    private mutating func refused(_ event: HCIEvent) -> [Meaning] {
        guard let status = event.status, status != 0 else { return [] }
        switch event.answered {
        case .createConnection, .leCreateConnection, .leExtendedCreateConnection:
            let isLowEnergy = event.answered != .createConnection
            let index = attempts.lastIndex { $0.isLowEnergy == isLowEnergy }
            let attempt = index.map { attempts.remove(at: $0) }
            return [failed(isLowEnergy ? "le" : "bredr", status, attempt)]
        case .disconnect:
            if let handle = lastEnding { ending.remove(handle) }
            return []
        default: return []
        }
    }

    private static func advertisement(_ report: HCIParameters) -> Meaning {
        let data = report.bytes(.data) ?? []
        let advertised = AdvertisingData(parsing: data)
        // Scan responses: type 4 of the first versions, bit 3 of extended reports (7.7.65.13).
        let legacy = report.number(.leAdvtsEventType)
        let extended = report.number(.leExtAdvtsEventType)
        let isScanResponse = legacy.map { $0 == 4 } ?? ((extended ?? 0) & 8 != 0)
        let message = PlainMessage(
            "le.advertisement",
            [
                "address": .address(report.address()),
                "address_type": .number(report.number(.lePeerAddressType)),
                "event_type": .number(legacy ?? extended),
                "rssi": .number(report.number(.rssi)), "uuids": advertised.services.value,
                "name": advertised.name.map { .string($0) }, "data": .bytes(data),
                "isScanResponse": .bool(isScanResponse),
            ])
        return (message, report.address().map { .address($0) })
    }
}
