import Bluetooth

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
        _ opcode: HCIOpcode, _ status: Status = .success, _ values: HCIParameters = [:]
    ) {
        var returned = values
        returned[.status] = .number(status.rawValue)
        send(.complete(opcode, returned))
    }

    /// Answers with Command Status: the result follows as an event.
    mutating func acknowledge(_ opcode: HCIOpcode, _ status: Status = .success) {
        send(.status(opcode, status.rawValue))
    }

    /// Refuses a command with the event that answers it.
    mutating func refuse(_ opcode: HCIOpcode, _ status: Status) {
        if let layout = opcode.layout, layout.returns == nil {
            acknowledge(opcode, status)
        } else {
            complete(opcode, status)
        }
    }

    /// Carries out a command; an unknown command is answered with `unknownCommand`.
    ///
    /// - Parameter parameters: Its parameters; `nil` if they are too few.
    mutating func carryOut(_ opcode: HCIOpcode, _ parameters: HCIParameters?) {
        guard SupportedCommands.contains(opcode, with: settings) else {
            return complete(opcode, .unknownCommand)
        }
        guard let parameters else { return refuse(opcode, .invalidParameters) }
        switch opcode.group {
        case 1: control(opcode, parameters)
        case 8 where opcode.command >= 0x06: lowEnergy(opcode, parameters)
        default: configure(opcode, parameters)
        }
    }

    // MARK: Information and settings

    private mutating func configure(_ opcode: HCIOpcode, _ parameters: HCIParameters) {
        switch opcode {
        case .reset: reset()
        case .setEventMask:
            state.eventMask = UInt64(bitPattern: parameters.number(.eventMask) ?? 0)
        case .leSetEventMask:
            state.leEventMask = UInt64(bitPattern: parameters.number(.leEventMask) ?? 0)
        case .leSetRandomAddress:
            state.randomAddress = DeviceAddress(parameters.address() ?? 0, isRandom: true)
        case .writeLocalName: state.localName = parameters.bytes(.deviceName) ?? []
        case .writeClassOfDevice: state.deviceClass = parameters.number(.classOfDevice) ?? 0
        case .writeScanEnable: state.scanEnable = parameters.uint8(.scanEnable) ?? 0
        default: break
        }
        complete(opcode, .success, information(opcode, page: parameters.uint8(.pageNumber) ?? 0))
    }

    /// Returns the values after the status of a read command; empty for a command that sets.
    private func information(_ opcode: HCIOpcode, page: UInt8) -> HCIParameters {
        switch opcode {
        // Version 5.0 twice, and a company identifier that no company has (7.4.1).
        case .readLocalVersionInformation: [.hciVersNr: 9, .lmpVersNr: 9, .compId: 0xFFFF]
        case .readLocalSupportedCommands:
            [.localSupportedCmds: .bytes(SupportedCommands.octets(with: settings))]
        case .readLocalSupportedFeatures: [.lmpFeatures: .bytes(features(page: 0))]
        case .readLocalExtendedFeatures:
            [
                .pageNumber: .number(page), .maxPageNumber: 2,
                .lmpFeatures: .bytes(features(page: page)),
            ]
        case .readBufferSize:
            [
                .maxDataLengthAcl: .number(settings.aclLength),
                .maxDataNumAcl: .number(settings.aclPackets),
            ]
        case .readBDADDR: [.bdAddr: .address(settings.address.value)]
        case .leReadBufferSize:
            [
                .leAclDataPktLen: .number(settings.aclLength),
                .leTotalNumAclDataPkts: .number(settings.aclPackets),
            ]
        // Encryption, and with 5.0 extended advertising (Vol 6 Part B 4.6).
        case .leReadLocalSupportedFeatures:
            [.leFeatures: settings.generation == .five ? 0x1001 : 0x0001]
        case .readLocalName: [.deviceName: .bytes(state.localName)]
        case .readClassOfDevice: [.classOfDevice: .number(state.deviceClass)]
        case .readVoiceSetting: [.voiceSetting: 0x0060]
        case .readNumberOfSupportedIAC: [.numSuppIac: 1]
        case .readCurrentIACLAP: [.iacs: .records([[.iacLap: 0x9E8B33]])]
        default: [:]
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

    // MARK: Link control

    private mutating func control(_ opcode: HCIOpcode, _ parameters: HCIParameters) {
        switch opcode {
        case .disconnect: disconnect(parameters)
        case .readRemoteVersionInformation:
            answer(
                opcode, parameters, .readRemoteVersionInformationComplete,
                [.lmpVersNr: 9, .compId: 0xFFFF])
        case .readRemoteSupportedFeatures:
            answer(
                opcode, parameters, .readRemoteSupportedFeaturesComplete,
                [.lmpFeatures: .bytes(features(page: 0))])
        case .readRemoteExtendedFeatures:
            answer(
                opcode, parameters, .readRemoteExtendedFeaturesComplete,
                [
                    .pageNumber: 1, .maxPageNumber: 1,
                    .lmpFeatures: .bytes(features(page: 1)),
                ])
        // The air decides the outcome (7.1.5).
        case .createConnection:
            acknowledge(opcode)
            emit(.paged(parameters.deviceAddress()))
        case .acceptConnectionRequest, .rejectConnectionRequest: answerPage(opcode, parameters)
        case .remoteNameRequest:
            acknowledge(opcode)
            send(HCIEvent(.remoteNameRequestComplete, [.bdAddr: parameters[.bdAddr] ?? 0]))
        case .inquiry:
            acknowledge(opcode)
            send(HCIEvent(.inquiryComplete))
        case .createConnectionCancel: complete(opcode, .unknownConnection)
        default: complete(opcode)
        }
    }

    /// Ends a link for the host; the reason is that the local host ended it (7.1.6, 7.7.5).
    private mutating func disconnect(_ parameters: HCIParameters) {
        guard let handle = parameters.uint16(.connectionHandle),
            state.links.removeValue(forKey: handle) != nil
        else { return acknowledge(.disconnect, .unknownConnection) }
        acknowledge(.disconnect)
        send(.disconnected(handle, reason: Status.localHost.rawValue))
        emit(.disconnected(handle: handle))
    }

    /// Answers a query about the device at the other end of a link with an event.
    mutating func answer(
        _ opcode: HCIOpcode, _ parameters: HCIParameters, _ kind: HCIEventKind,
        _ values: HCIParameters
    ) {
        guard let handle = parameters.uint16(.connectionHandle), state.links[handle] != nil else {
            return acknowledge(opcode, .unknownConnection)
        }
        acknowledge(opcode)
        var values = values
        values[.connectionHandle] = .number(handle)
        send(HCIEvent(kind, values))
    }

    // MARK: BR/EDR connections

    private mutating func answerPage(_ opcode: HCIOpcode, _ parameters: HCIParameters) {
        let address = parameters.deviceAddress()
        guard state.pages.remove(address) != nil else {
            return acknowledge(opcode, .unknownConnection)
        }
        acknowledge(opcode)
        let isAccepted = opcode == .acceptConnectionRequest
        emit(.answeredPage(address, isAccepted: isAccepted))
        if !isAccepted { classicConnection(to: address, failed: 0x0D) }
    }

    /// Whether the controller hears a device that wants a connection.
    package var isPageScanning: Bool {
        settings.isDual && !isMute && state.scanEnable & 2 != 0
    }

    /// Reports a device that wants a BR/EDR connection; the host answers it (7.7.4).
    package mutating func page(from address: DeviceAddress) {
        state.pages.insert(address)
        send(
            HCIEvent(
                .connectionRequest,
                [
                    .bdAddr: .address(address.value), .classOfDevice: 0x20_0404, .linkType: 1,
                ]))
    }

    /// Reports that a BR/EDR connection is open (7.7.3).
    ///
    /// - Returns: Its handle.
    package mutating func classicConnection(to address: DeviceAddress) -> UInt16 {
        let handle = open(address, as: settings.address)
        classicConnection(to: address, handle: handle, failed: 0)
        return handle
    }

    /// Reports that a BR/EDR connection failed.
    package mutating func classicConnection(
        to address: DeviceAddress, handle: UInt16 = 0, failed status: UInt8
    ) {
        send(
            HCIEvent(
                .connectionComplete,
                [
                    .status: .number(status), .connectionHandle: .number(handle),
                    .bdAddr: .address(address.value), .linkType: 1,
                ]))
    }
}

extension HCIEvent {
    /// Returns the event that reports the end of a link (7.7.5).
    static func disconnected(_ handle: UInt16, reason: UInt8) -> HCIEvent {
        HCIEvent(
            .disconnectionComplete,
            [.connectionHandle: .number(handle), .reason: .number(reason)])
    }
}
