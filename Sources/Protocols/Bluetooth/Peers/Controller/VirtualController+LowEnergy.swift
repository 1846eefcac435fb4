/// A host's request for a connection to a Low Energy device.
struct Initiation: Sendable, Hashable {
    /// The device; `nil` for any device in the accept list.
    let peer: DeviceAddress?
    /// Whether the host connects with its random address.
    let usesRandomAddress: Bool
}

/// What the host advertises.
package struct HostAdvertising: Sendable, Hashable {
    /// Whether it advertises.
    package var isOn = false
    /// Whether others may connect, as for type ADV_IND (Core 5.4 Vol 4 Part E 7.8.5).
    package var isConnectable = true
    /// Whether it advertises with its random address.
    var usesRandomAddress = false
    /// Its advertising data, without padding.
    package var data: [UInt8] = []
    /// The answer to a scan request.
    package var scanResponse: [UInt8] = []
}

/// An advertisement as a scanning controller receives it (Vol 4 Part E 7.7.65.2).
package struct AdvertisingReport: Sendable, Hashable {
    /// Whether it is the answer to a scan request.
    package var isScanResponse = false
    /// Whether others may connect.
    package var isConnectable = true
    /// The address of the sender.
    package var address: DeviceAddress
    /// The data, in AD structures of the Core Specification Supplement.
    package var data: [UInt8]
    /// The signal strength (RSSI).
    package var rssi: Int8 = -50

    /// Creates a report.
    package init(address: DeviceAddress, data: [UInt8]) {
        self.address = address
        self.data = data
    }
}

// MARK: - Commands of Low Energy

extension VirtualController {
    mutating func lowEnergy(_ code: CommandCode, _ reader: inout LittleEndianReader) {
        let opcode = code.rawValue
        guard isAllowed(code) else {
            return code == .leCreateConnection || code == .leExtendedCreateConnection
                ? acknowledge(opcode, .disallowed) : complete(opcode, .disallowed)
        }
        switch code {
        case .leSetScanParameters, .leSetExtendedScanParameters: setScan(code, &reader)
        case .leSetScanEnable, .leSetExtendedScanEnable: enableScan(code, &reader)
        case .leCreateConnection, .leExtendedCreateConnection: createConnection(code, &reader)
        case .leCreateConnectionCancel: cancelConnection()
        case .leClearAcceptList, .leAddToAcceptList, .leRemoveFromAcceptList:
            changeAcceptList(code, &reader)
        case .leReadAcceptListSize: complete(opcode, .success, [8])
        case .leReadStates:
            complete(opcode, .success, [0xFF, 0xFF, 0x3F, 0xFF, 0xFF, 0x03, 0, 0])
        case .leRandom:
            var generator = SystemRandomNumberGenerator()
            complete(
                opcode, .success, (0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) })
        case .leEncrypt: encrypt(&reader)
        case .leReadRemoteFeatures, .leConnectionUpdate, .leEnableEncryption:
            onLink(code, &reader)
        default: advertise(code, &reader)
        }
    }

    /// Whether a command is allowed: legacy and extended exclude each other until a reset (3.1.1).
    private mutating func isAllowed(_ code: CommandCode) -> Bool {
        let isExtended: Bool
        switch code {
        case .leSetScanParameters, .leSetScanEnable, .leCreateConnection: isExtended = false
        case .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            .leExtendedCreateConnection:
            isExtended = true
        default: return true
        }
        if state.usesExtended == nil { state.usesExtended = isExtended }
        return state.usesExtended == isExtended
    }

    // MARK: Scanning

    /// Stores scan parameters.
    ///
    /// Legacy: type, interval, window, own address type, filter policy (7.8.10). Extended: own
    /// address type, filter policy, PHYs, then type, interval and window of each PHY (7.8.64).
    private mutating func setScan(_ code: CommandCode, _ reader: inout LittleEndianReader) {
        let opcode = code.rawValue
        let bytes = Array(reader.rest)
        guard bytes.count >= 7 else { return complete(opcode, .invalidParameters) }
        guard state.scan == nil else { return complete(opcode, .disallowed) }
        let isExtended = code == .leSetExtendedScanParameters
        state.scanParameters = (
            isActive: (isExtended ? bytes[3] : bytes[0]) == 1, isExtended: isExtended,
            usesAcceptList: (isExtended ? bytes[1] : bytes[6]) & 1 == 1
        )
        complete(opcode)
    }

    private mutating func enableScan(_ code: CommandCode, _ reader: inout LittleEndianReader) {
        guard let isOn = reader.byte(), let filter = reader.byte() else {
            return complete(code.rawValue, .invalidParameters)
        }
        let parameters = state.scanParameters
        if isOn == 1, state.scan == nil { state.reported = [] }
        state.scan =
            isOn == 1
            ? Scan(
                isActive: parameters.isActive, isExtended: code == .leSetExtendedScanEnable,
                filtersDuplicates: filter != 0, usesAcceptList: parameters.usesAcceptList) : nil
        complete(code.rawValue)
    }

    /// What the host scans for; `nil` while it does not scan.
    package var scan: Scan? { isMute ? nil : state.scan }

    /// Reports a received advertisement, if the host scans for it.
    package mutating func report(_ heard: AdvertisingReport) {
        guard let scan, !heard.isScanResponse || scan.isActive else { return }
        if scan.usesAcceptList, !state.acceptList.contains(heard.address) { return }
        if scan.filtersDuplicates {
            let key = heard.address.hci + [heard.isScanResponse ? 1 : 0] + heard.data
            guard state.reported.insert(key).inserted else { return }
        }
        let from = [heard.address.type] + heard.address.hci
        let rssi = UInt8(bitPattern: heard.rssi)
        let data = [UInt8(low: heard.data.count)] + heard.data
        guard scan.isExtended else {
            let type: UInt8 = heard.isScanResponse ? 4 : heard.isConnectable ? 0 : 3
            return meta(.advertisingReport, [1, type] + from + data + [rssi])
        }
        // Event types of legacy PDUs (7.7.65.13): connectable and scannable; a scan response has
        // bit 3.
        let type: UInt8 = heard.isScanResponse ? 0x1B : heard.isConnectable ? 0x13 : 0x10
        meta(
            .extendedAdvertisingReport,
            [1, type, 0] + from + [1, 0, 0xFF, 0x7F, rssi, 0, 0, 0, 0, 0, 0, 0, 0, 0] + data)
    }

    private mutating func changeAcceptList(
        _ code: CommandCode, _ reader: inout LittleEndianReader
    ) {
        if code == .leClearAcceptList {
            state.acceptList = []
            return complete(code.rawValue)
        }
        guard let type = reader.byte(), let address = reader.address(isRandom: type & 1 == 1)
        else { return complete(code.rawValue, .invalidParameters) }
        if code == .leAddToAcceptList {
            state.acceptList.insert(address)
        } else {
            state.acceptList.remove(address)
        }
        complete(code.rawValue)
    }

    // MARK: Connections

    /// Starts a connection attempt.
    ///
    /// Legacy: interval, window, filter policy, the peer's type and address (7.8.12). Extended:
    /// filter policy, own type, the peer's type and address (7.8.66).
    private mutating func createConnection(
        _ code: CommandCode, _ reader: inout LittleEndianReader
    ) {
        guard state.initiation == nil else { return acknowledge(code.rawValue, .disallowed) }
        let isExtended = code == .leExtendedCreateConnection
        if !isExtended { _ = reader.consume(4) }
        let policy = reader.byte()
        var ownType = isExtended ? reader.byte() : 0
        guard let policy, let type = reader.byte(),
            let address = reader.address(isRandom: type & 1 == 1)
        else { return acknowledge(code.rawValue, .invalidParameters) }
        if !isExtended { ownType = reader.byte() }
        state.initiation = Initiation(
            peer: policy & 1 == 1 ? nil : address, usesRandomAddress: ownType == 1)
        acknowledge(code.rawValue)
    }

    private mutating func cancelConnection() {
        let opcode = CommandCode.leCreateConnectionCancel.rawValue
        guard let initiation = state.initiation else { return complete(opcode, .disallowed) }
        state.initiation = nil
        complete(opcode)
        let peer = initiation.peer ?? DeviceAddress(0, isRandom: false)
        connectionComplete(Status.unknownConnection.rawValue, 0, peer, isCentral: true)
    }

    /// Whether the host wants a connection to a device.
    package func wantsConnection(to address: DeviceAddress) -> Bool {
        guard !isMute, let initiation = state.initiation else { return false }
        return initiation.peer.map { $0 == address } ?? state.acceptList.contains(address)
    }

    /// Reports that the connection that the host wants is open.
    ///
    /// - Returns: Its handle.
    package mutating func connected(to address: DeviceAddress) -> UInt16 {
        let isRandom = state.initiation?.usesRandomAddress == true
        state.initiation = nil
        let handle = open(address, as: ownAddress(isRandom: isRandom))
        connectionComplete(0, handle, address, isCentral: true)
        return handle
    }

    /// Reports that a device has connected to the advertising host.
    ///
    /// The host then stops advertising.
    ///
    /// - Returns: The handle.
    package mutating func connected(by address: DeviceAddress) -> UInt16 {
        state.advertising.isOn = false
        let handle = open(address, as: advertisingAddress)
        connectionComplete(0, handle, address, isCentral: false)
        return handle
    }

    /// Sends the connection event that the host wants (7.7.65.1 or 7.7.65.10).
    ///
    /// The values are interval 30 ms, no latency, and a timeout of 720 ms.
    private mutating func connectionComplete(
        _ status: UInt8, _ handle: UInt16, _ peer: DeviceAddress, isCentral: Bool
    ) {
        let begin =
            [status] + handle.littleEndianBytes + [isCentral ? 0 : 1, peer.type] + peer.hci
        let end: [UInt8] = [0x18, 0, 0, 0, 0x48, 0, 0]
        if settings.generation == .five, selects(.enhancedConnectionComplete) {
            let privateAddresses = [UInt8](repeating: 0, count: 12)
            meta(.enhancedConnectionComplete, begin + privateAddresses + end)
        } else {
            meta(.connectionComplete, begin + end)
        }
    }

    private mutating func onLink(_ code: CommandCode, _ reader: inout LittleEndianReader) {
        guard let handle = reader.word(), state.links[handle] != nil else {
            return acknowledge(code.rawValue, .unknownConnection)
        }
        acknowledge(code.rawValue)
        switch code {
        case .leReadRemoteFeatures:
            meta(.remoteFeatures, [0] + handle.littleEndianBytes + [1, 0, 0, 0, 0, 0, 0, 0])
        case .leConnectionUpdate:
            let interval = Array(reader.rest.dropFirst(2).prefix(6))
            meta(.connectionUpdateComplete, [0] + handle.littleEndianBytes + interval)
        default:
            let key = Array(reader.rest.dropFirst(10))
            emit(.encrypts(handle: handle, key: key))
        }
    }

    /// Encrypts a block with AES-128; key, block and result have the lowest byte first (7.8.22).
    private mutating func encrypt(_ reader: inout LittleEndianReader) {
        let opcode = CommandCode.leEncrypt.rawValue
        guard let key = reader.consume(16), let block = reader.consume(16) else {
            return complete(opcode, .invalidParameters)
        }
        let cipher = AES128(key: key.reversed()).encrypt(block.reversed())
        complete(opcode, .success, cipher.reversed())
    }

    // MARK: Advertising

    private mutating func advertise(_ code: CommandCode, _ reader: inout LittleEndianReader) {
        switch code {
        case .leReadAdvertisingPower: return complete(code.rawValue, .success, [0])
        case .leSetAdvertisingParameters:
            let bytes = Array(reader.rest)
            guard bytes.count >= 6 else { return complete(code.rawValue, .invalidParameters) }
            state.advertising.isConnectable = bytes[4] == 0
            state.advertising.usesRandomAddress = bytes[5] & 1 == 1
        case .leSetAdvertisingData, .leSetScanResponse:
            guard let count = reader.byte(), let data = reader.consume(min(31, Int(count))) else {
                return complete(code.rawValue, .invalidParameters)
            }
            if code == .leSetAdvertisingData {
                state.advertising.data = Array(data)
            } else {
                state.advertising.scanResponse = Array(data)
            }
        case .leSetAdvertisingEnable: state.advertising.isOn = reader.byte() == 1
        default: break
        }
        complete(code.rawValue)
    }

    /// What the host advertises; `nil` while it does not advertise.
    package var advertising: HostAdvertising? {
        isMute || !state.advertising.isOn ? nil : state.advertising
    }

    /// The address with which the host advertises.
    package var advertisingAddress: DeviceAddress {
        ownAddress(isRandom: state.advertising.usesRandomAddress)
    }
}
