/// The controller's answers to commands (Core 5.4 Vol 4 Part E 7).
extension VirtualController {
    /// Status and error codes (Vol 1 Part F 1.3).
    enum Status: UInt8 {
        case success = 0x00
        case unknownCommand = 0x01
        case unknownConnection = 0x02
        case disallowed = 0x0C
        case invalidParameters = 0x12
        case localHost = 0x16
    }

    /// Answers with Command Complete: the status and the return values.
    mutating func complete(
        _ opcode: UInt16, _ status: Status = .success, _ values: [UInt8] = []
    ) {
        event(.commandComplete, [1] + opcode.littleEndianBytes + [status.rawValue] + values)
    }

    /// Answers with Command Status: the result follows as an event.
    mutating func acknowledge(_ opcode: UInt16, _ status: Status = .success) {
        event(.commandStatus, [status.rawValue, 1] + opcode.littleEndianBytes)
    }

    /// Carries out a command; an unknown command is answered with `unknownCommand`.
    mutating func carryOut(_ opcode: UInt16, _ parameters: [UInt8]) {
        guard let code = CommandCode(rawValue: opcode), code.isKnown(to: settings) else {
            return complete(opcode, .unknownCommand)
        }
        var reader = LittleEndianReader(parameters)
        switch opcode >> 10 {
        case 1: control(code, &reader)
        case 8 where opcode & 0x3FF >= 0x06: lowEnergy(code, &reader)
        default: configure(code, &reader)
        }
    }

    // MARK: Information and settings

    private mutating func configure(_ code: CommandCode, _ reader: inout LittleEndianReader) {
        let opcode = code.rawValue
        switch code {
        case .reset:
            reset()
            complete(opcode)
        case .setEventMask: state.eventMask = mask(&reader, opcode) ?? state.eventMask
        case .leSetEventMask: state.leEventMask = mask(&reader, opcode) ?? state.leEventMask
        case .leSetRandomAddress:
            guard let address = reader.address(isRandom: true) else {
                return complete(opcode, .invalidParameters)
            }
            state.randomAddress = address
            complete(opcode)
        case .writeLocalName:
            state.localName = Array(reader.rest)
            complete(opcode)
        case .writeClass:
            state.deviceClass = Array(reader.rest)
            complete(opcode)
        case .writeScanEnable:
            state.scanEnable = reader.byte() ?? 0
            complete(opcode)
        case .readExtendedFeatures:
            let page = reader.byte() ?? 0
            complete(opcode, .success, [page, 2] + features(page: page))
        default:
            complete(opcode, .success, information(code))
        }
    }

    private mutating func mask(_ reader: inout LittleEndianReader, _ opcode: UInt16) -> UInt64? {
        guard let bytes = reader.consume(8) else {
            complete(opcode, .invalidParameters)
            return nil
        }
        complete(opcode)
        return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the values after the status of a read command; empty for a command that sets.
    private func information(_ code: CommandCode) -> [UInt8] {
        let length = UInt16(clamping: settings.aclLength).littleEndianBytes
        return switch code {
        // Version 5.0 twice, and a company identifier that no company has (7.4.1).
        case .readVersion: [0x09, 0, 0, 0x09, 0xFF, 0xFF, 0, 0]
        case .readCommands: CommandCode.supported(by: settings)
        case .readFeatures: features(page: 0)
        case .readBufferSize: length + [0] + UInt16(settings.aclPackets).littleEndianBytes + [0, 0]
        case .readAddress: settings.address.hci
        case .leReadBufferSize: length + [settings.aclPackets]
        case .leReadFeatures: leFeatures
        case .readLocalName:
            state.localName + [UInt8](repeating: 0, count: max(0, 248 - state.localName.count))
        case .readClass: state.deviceClass
        case .readVoiceSetting: [0x60, 0x00]
        case .readIACCount: [1]
        case .readIAC: [1, 0x33, 0x8B, 0x9E]
        default: []
        }
    }

    /// Returns LMP features: page 0 the controller's, page 1 the host's (7.4.3, 7.4.4).
    private func features(page: UInt8) -> [UInt8] {
        switch page {
        case 0 where settings.isDual: [0xFF, 0xFF, 0x8D, 0xFE, 0xD8, 0x3F, 0x5B, 0x87]
        case 0: [0, 0, 0, 0, 0x60, 0, 0, 0x80]
        case 1 where settings.isDual: [0x03, 0, 0, 0, 0, 0, 0, 0]
        default: [0, 0, 0, 0, 0, 0, 0, 0]
        }
    }

    /// LE features: encryption, and with 5.0 extended advertising (Vol 6 Part B 4.6).
    var leFeatures: [UInt8] {
        [0x01, settings.generation == .five ? 0x10 : 0, 0, 0, 0, 0, 0, 0]
    }

    // MARK: Link control

    private mutating func control(_ code: CommandCode, _ reader: inout LittleEndianReader) {
        let opcode = code.rawValue
        switch code {
        case .disconnect: disconnect(&reader)
        case .readRemoteVersion:
            answerAbout(&reader, opcode, .remoteVersion, [0x09, 0xFF, 0xFF, 0, 0])
        case .readRemoteFeatures:
            answerAbout(&reader, opcode, .remoteFeatures, features(page: 0))
        case .readRemoteExtendedFeatures:
            answerAbout(&reader, opcode, .remoteExtendedFeatures, [1, 1] + features(page: 1))
        case .createConnection: createClassicConnection(&reader)
        case .acceptConnection, .rejectConnection: answerPage(code, &reader)
        case .remoteName:
            acknowledge(opcode)
            let address = Array(reader.rest.prefix(6))
            event(.remoteName, [0] + address + [UInt8](repeating: 0, count: 248))
        case .inquiry:
            acknowledge(opcode)
            event(.inquiryComplete, [0])
        case .createConnectionCancel: complete(opcode, .unknownConnection)
        default: complete(opcode)
        }
    }

    /// Ends a link for the host; the reason is that the local host ended it (7.1.6, 7.7.5).
    private mutating func disconnect(_ reader: inout LittleEndianReader) {
        let opcode = CommandCode.disconnect.rawValue
        guard let handle = reader.word().map({ $0 & 0x0FFF }),
            state.links.removeValue(forKey: handle) != nil
        else { return acknowledge(opcode, .unknownConnection) }
        acknowledge(opcode)
        event(
            .disconnectionComplete,
            [0] + handle.littleEndianBytes + [Status.localHost.rawValue])
        emit(.disconnected(handle: handle))
    }

    /// Answers a query about the device at the other end of a link with an event.
    private mutating func answerAbout(
        _ reader: inout LittleEndianReader, _ opcode: UInt16, _ code: EventCode,
        _ values: [UInt8]
    ) {
        guard let handle = reader.word(), state.links[handle] != nil else {
            return acknowledge(opcode, .unknownConnection)
        }
        acknowledge(opcode)
        event(code, [0] + handle.littleEndianBytes + values)
    }

    // MARK: BR/EDR connections

    /// Requests a BR/EDR connection; the air decides the outcome (7.1.5).
    private mutating func createClassicConnection(_ reader: inout LittleEndianReader) {
        let opcode = CommandCode.createConnection.rawValue
        guard let address = reader.address(isRandom: false) else {
            return acknowledge(opcode, .invalidParameters)
        }
        acknowledge(opcode)
        emit(.paged(address))
    }

    private mutating func answerPage(_ code: CommandCode, _ reader: inout LittleEndianReader) {
        guard let address = reader.address(isRandom: false),
            state.pages.remove(address) != nil
        else { return acknowledge(code.rawValue, .unknownConnection) }
        acknowledge(code.rawValue)
        emit(.answeredPage(address, isAccepted: code == .acceptConnection))
        if code == .rejectConnection { classicConnection(to: address, failed: 0x0D) }
    }

    /// Whether the controller hears a device that wants a connection.
    package var isPageScanning: Bool {
        settings.isDual && !isMute && state.scanEnable & 2 != 0
    }

    /// Reports that a device wants a connection (7.7.4).
    package mutating func page(from address: DeviceAddress) {
        state.pages.insert(address)
        event(.connectionRequest, address.hci + [0x04, 0x04, 0x20, 0x01])
    }

    /// Reports that a BR/EDR connection is open (7.7.3).
    ///
    /// - Returns: Its handle.
    package mutating func classicConnection(to address: DeviceAddress) -> UInt16 {
        let handle = open(address, as: settings.address)
        event(
            .connectionComplete, [0] + handle.littleEndianBytes + address.hci + [0x01, 0x00])
        return handle
    }

    /// Reports that a BR/EDR connection failed.
    package mutating func classicConnection(to address: DeviceAddress, failed status: UInt8) {
        event(.connectionComplete, [status, 0, 0] + address.hci + [0x01, 0x00])
    }
}
