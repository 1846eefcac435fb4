import Bluetooth

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
}

// MARK: - Commands of Low Energy

extension VirtualController {
    mutating func lowEnergy(_ opcode: HCIOpcode, _ parameters: HCIParameters) {
        guard isAllowed(opcode) else { return refuse(opcode, .disallowed) }
        switch opcode {
        case .leSetScanParameters, .leSetExtendedScanParameters: setScan(opcode, parameters)
        case .leSetScanEnable, .leSetExtendedScanEnable: enableScan(opcode, parameters)
        case .leCreateConnection, .leExtendedCreateConnection:
            createConnection(opcode, parameters)
        case .leCreateConnectionCancel: cancelConnection()
        case .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList,
            .leRemoveDeviceFromFilterAcceptList:
            changeAcceptList(opcode, parameters)
        case .leReadFilterAcceptListSize: complete(opcode, .success, [.leFilterAcceptListSize: 8])
        case .leReadSupportedStates:
            complete(
                opcode, .success,
                [.leStates: .bytes([0xFF, 0xFF, 0x3F, 0xFF, 0xFF, 0x03, 0, 0])])
        case .leRand:
            let random = (0..<8).map { _ in UInt8.random(in: 0...255) }
            complete(opcode, .success, [.leRandomNumber: .bytes(random)])
        case .leEncrypt: encrypt(parameters)
        case .leReadRemoteFeatures:
            answer(opcode, parameters, .leReadRemoteFeaturesComplete, [.leFeatures: 1])
        case .leConnectionUpdate:
            answer(
                opcode, parameters, .leConnectionUpdateComplete,
                [
                    .leConInterval: parameters[.leConIntervalMax] ?? 0,
                    .leConLatency: parameters[.leConLatency] ?? 0,
                    .leSupvTimeout: parameters[.leSupvTimeout] ?? 0,
                ])
        case .leEnableEncryption:
            guard let handle = parameters.uint16(.connectionHandle), state.links[handle] != nil
            else { return acknowledge(opcode, .unknownConnection) }
            acknowledge(opcode)
            emit(.encrypts(handle: handle, key: parameters.bytes(.leLongTermKey) ?? []))
        default: advertise(opcode, parameters)
        }
    }

    /// Whether a command is allowed: legacy and extended exclude each other until a reset (3.1.1).
    private mutating func isAllowed(_ opcode: HCIOpcode) -> Bool {
        let isExtended: Bool
        switch opcode {
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

    /// Stores scan parameters (7.8.10, 7.8.64).
    private mutating func setScan(_ opcode: HCIOpcode, _ parameters: HCIParameters) {
        guard state.scan == nil else { return complete(opcode, .disallowed) }
        let isExtended = opcode == .leSetExtendedScanParameters
        let first = isExtended ? parameters.records(.leScanPhyParam).first : parameters
        state.scanParameters = (
            isActive: first?.uint8(.leScanType) == 1, isExtended: isExtended,
            usesAcceptList: (parameters.uint8(.leScanFilterPolicy) ?? 0) & 1 == 1
        )
        complete(opcode)
    }

    private mutating func enableScan(_ opcode: HCIOpcode, _ values: HCIParameters) {
        let isOn = values.uint8(.leScanEnable) == 1
        let parameters = state.scanParameters
        if isOn, state.scan == nil { state.reported = [] }
        state.scan =
            isOn
            ? Scan(
                isActive: parameters.isActive, isExtended: opcode == .leSetExtendedScanEnable,
                filtersDuplicates: values.uint8(.leFilterDuplicates) != 0,
                usesAcceptList: parameters.usesAcceptList) : nil
        complete(opcode)
    }

    /// What the host scans for; `nil` while it does not scan.
    package var scan: Scan? { isMute ? nil : state.scan }

    /// Reports a received advertisement, if the host scans for it.
    package mutating func report(_ heard: AdvertisingReport) {
        guard let scan, !heard.isScanResponse || scan.isActive else { return }
        if scan.usesAcceptList, !state.acceptList.contains(heard.address) { return }
        if scan.filtersDuplicates {
            var key = heard
            key.rssi = 0
            guard state.reported.insert(key).inserted else { return }
        }
        var report: HCIParameters = [
            .lePeerAddressType: .number(heard.address.type),
            .bdAddr: .address(heard.address.value), .data: .bytes(heard.data),
            .rssi: .number(heard.rssi),
        ]
        guard scan.isExtended else {
            report[.leAdvtsEventType] = heard.isScanResponse ? 4 : heard.isConnectable ? 0 : 3
            return send(HCIEvent(.leAdvertisingReport, [.reports: .records([report])]))
        }
        // Event types of legacy PDUs (7.7.65.13): connectable and scannable; a scan response has
        // bit 3.
        report[.leExtAdvtsEventType] =
            heard.isScanResponse ? 0x1B : heard.isConnectable ? 0x13 : 0x10
        report[.primaryPhy] = 1
        report[.advertisingSid] = 0xFF
        report[.txPower] = 0x7F
        send(HCIEvent(.leExtendedAdvertisingReport, [.reports: .records([report])]))
    }

    private mutating func changeAcceptList(_ opcode: HCIOpcode, _ parameters: HCIParameters) {
        let address = parameters.deviceAddress(typedBy: .leAddressType)
        switch opcode {
        case .leClearFilterAcceptList: state.acceptList = []
        case .leAddDeviceToFilterAcceptList: state.acceptList.insert(address)
        default: state.acceptList.remove(address)
        }
        complete(opcode)
    }

    // MARK: Connections

    /// Starts a connection attempt (7.8.12, 7.8.66).
    private mutating func createConnection(_ opcode: HCIOpcode, _ parameters: HCIParameters) {
        guard state.initiation == nil else { return acknowledge(opcode, .disallowed) }
        let usesList = (parameters.uint8(.leInitiatorFilterPolicy) ?? 0) & 1 == 1
        state.initiation = Initiation(
            peer: usesList ? nil : parameters.deviceAddress(typedBy: .lePeerAddressType),
            usesRandomAddress: parameters.uint8(.leOwnAddressType) == 1)
        acknowledge(opcode)
    }

    private mutating func cancelConnection() {
        guard let initiation = state.initiation else {
            return complete(.leCreateConnectionCancel, .disallowed)
        }
        state.initiation = nil
        complete(.leCreateConnectionCancel)
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
        let isEnhanced =
            settings.generation == .five && selects(.leEnhancedConnectionComplete)
        send(
            HCIEvent(
                isEnhanced ? .leEnhancedConnectionComplete : .leConnectionComplete,
                [
                    .status: .number(status), .connectionHandle: .number(handle),
                    .role: isCentral ? 0 : 1, .lePeerAddressType: .number(peer.type),
                    .bdAddr: .address(peer.value), .leConInterval: 0x18, .leSupvTimeout: 0x48,
                ]))
    }

    /// Encrypts a block with AES-128; key, block and result have the lowest byte first (7.8.22).
    private mutating func encrypt(_ parameters: HCIParameters) {
        guard let key = parameters.bytes(.leKey), let block = parameters.bytes(.lePlaintext) else {
            return complete(.leEncrypt, .invalidParameters)
        }
        let cipher = AES128(key: key.reversed()).encrypt(block.reversed())
        complete(.leEncrypt, .success, [.leEncryptedData: .bytes(cipher.reversed())])
    }

    // MARK: Advertising

    private mutating func advertise(_ opcode: HCIOpcode, _ parameters: HCIParameters) {
        let length = Int(parameters.uint8(.leDataLength) ?? 0)
        let data = Array((parameters.bytes(.data) ?? []).prefix(length))
        switch opcode {
        case .leSetAdvertisingParameters:
            state.advertising.isConnectable = parameters.uint8(.leAdvtsType) == 0
            state.advertising.usesRandomAddress =
                parameters.number(.leOwnAddressType).map {
                    $0 & 1 == 1
                } ?? false
        case .leSetAdvertisingData: state.advertising.data = data
        case .leSetScanResponseData: state.advertising.scanResponse = data
        case .leSetAdvertisingEnable:
            state.advertising.isOn = parameters.uint8(.leAdvtsEnable) == 1
        default: break
        }
        complete(opcode)
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
