extension HCILayouts {
    /// Link control (Core 5.4 Vol 4 Part E 7.1).
    static let linkCommands: [HCICommandLayout] = [
        command(
            .inquiry, "Inquiry", "7.1.1", [.u24(.lap), .u8(.inqLength), .u8(.numResponses)],
            returns: nil),
        command(.inquiryCancel, "InquiryCancel", "7.1.2"),
        command(
            .createConnection, "CreateConnection", "7.1.5",
            [
                .address, .u16(.packetType), .u8(.pageScanRepetitionMode), .u8(.pageScanMode),
                .u16(.clockOffset), .u8(.allowRoleSwitch),
            ], returns: nil),
        command(.disconnect, "Disconnect", "7.1.6", [.handle, .u8(.reason)], returns: nil),
        command(
            .createConnectionCancel, "CreateConnectionCancel", "7.1.7", [.address],
            returns: [.address]),
        command(
            .acceptConnectionRequest, "AcceptConnectionRequest", "7.1.8", [.address, .u8(.role)],
            returns: nil),
        command(
            .rejectConnectionRequest, "RejectConnectionRequest", "7.1.9",
            [.address, .u8(.reason)], returns: nil),
        command(
            .linkKeyRequestReply, "LinkKeyRequestReply", "7.1.10",
            [.address, .bytes(16, .linkKey)], returns: [.address]),
        command(
            .linkKeyRequestNegativeReply, "LinkKeyRequestNegativeReply", "7.1.11", [.address],
            returns: [.address]),
        command(
            .authenticationRequested, "AuthenticationRequested", "7.1.15", [.handle],
            returns: nil),
        command(
            .setConnectionEncryption, "SetConnectionEncryption", "7.1.16",
            [.handle, .u8(.encryptionEnable)], returns: nil),
        command(
            .remoteNameRequest, "RemoteNameRequest", "7.1.19",
            [.address, .u8(.pageScanRepetitionMode), .u8(.pageScanMode), .u16(.clockOffset)],
            returns: nil),
        command(
            .remoteNameRequestCancel, "RemoteNameRequestCancel", "7.1.20", [.address],
            returns: [.address]),
        command(
            .readRemoteSupportedFeatures, "ReadRemoteSupportedFeatures", "7.1.21", [.handle],
            returns: nil),
        command(
            .readRemoteExtendedFeatures, "ReadRemoteExtendedFeatures", "7.1.22",
            [.handle, .u8(.pageNumber)], returns: nil),
        command(
            .readRemoteVersionInformation, "ReadRemoteVersionInformation", "7.1.23", [.handle],
            returns: nil),
        command(
            .ioCapabilityRequestReply, "IOCapabilityRequestReply", "7.1.29",
            [.address, .u8(.ioCapability), .u8(.oobDataPresent), .u8(.authRequirements)],
            returns: [.address]),
        command(
            .userConfirmationRequestReply, "UserConfirmationRequestReply", "7.1.30", [.address],
            returns: [.address]),
        command(
            .userConfirmationRequestNegativeReply, "UserConfirmationRequestNegativeReply",
            "7.1.31", [.address], returns: [.address]),
        command(
            .ioCapabilityRequestNegativeReply, "IOCapabilityRequestNegativeReply", "7.1.36",
            [.address, .u8(.reason)], returns: [.address]),
        command(
            .sniffMode, "SniffMode", "7.2.2",
            [
                .handle, .u16(.sniffMaxInt), .u16(.sniffMinInt), .u16(.sniffAttempt),
                .u16(.timeout),
            ], returns: nil),
        command(.exitSniffMode, "ExitSniffMode", "7.2.3", [.handle], returns: nil),
        command(
            .switchRole, "SwitchRole", "7.2.8", [.address, .u8(.role)], returns: nil),
        command(
            .writeDefaultLinkPolicySettings, "WriteDefaultLinkPolicySettings", "7.2.12",
            [.u16(.linkPolicy)]),
    ]

    /// Controller and baseband (7.3).
    static let basebandCommands: [HCICommandLayout] = [
        command(.setEventMask, "SetEventMask", "7.3.1", [.u64(.eventMask)]),
        command(.reset, "Reset", "7.3.2"),
        command(
            .setEventFilter, "SetEventFilter", "7.3.3",
            [.u8(.filterType), HCIParameter(.filterCondition, .rest)]),
        command(
            .deleteStoredLinkKey, "DeleteStoredLinkKey", "7.3.8",
            [.address, .u8(.deleteAllFlag)], returns: [.u16(.numKeysDeleted)]),
        command(
            .writeLocalName, "WriteLocalName", "7.3.11", [.bytes(248, .deviceName)]),
        command(
            .readLocalName, "ReadLocalName", "7.3.12", returns: [.bytes(248, .deviceName)]),
        command(
            .writeConnectionAcceptTimeout, "WriteConnectionAcceptTimeout", "7.3.14",
            [.u16(.timeout)]),
        command(.writePageTimeout, "WritePageTimeout", "7.3.16", [.u16(.timeout)]),
        command(.readScanEnable, "ReadScanEnable", "7.3.17", returns: [.u8(.scanEnable)]),
        command(.writeScanEnable, "WriteScanEnable", "7.3.18", [.u8(.scanEnable)]),
        command(
            .writePageScanActivity, "WritePageScanActivity", "7.3.20",
            [.u16(.interval), .u16(.window)]),
        command(
            .writeInquiryScanActivity, "WriteInquiryScanActivity", "7.3.22",
            [.u16(.interval), .u16(.window)]),
        command(
            .readClassOfDevice, "ReadClassOfDevice", "7.3.25", returns: [.u24(.classOfDevice)]),
        command(
            .writeClassOfDevice, "WriteClassOfDevice", "7.3.26", [.u24(.classOfDevice)]),
        command(.readVoiceSetting, "ReadVoiceSetting", "7.3.27", returns: [.u16(.voiceSetting)]),
        command(.writeVoiceSetting, "WriteVoiceSetting", "7.3.28", [.u16(.voiceSetting)]),
        command(
            .writeSynchronousFlowControlEnable, "WriteSynchronousFlowControlEnable", "7.3.37",
            [.u8(.scoFlowContEnable)]),
        command(
            .setControllerToHostFlowControl, "SetControllerToHostFlowControl", "7.3.38",
            [.u8(.flowContEnable)]),
        command(
            .hostBufferSize, "HostBufferSize", "7.3.39",
            [
                .u16(.maxDataLengthAcl), .u8(.maxDataLengthSco), .u16(.maxDataNumAcl),
                .u16(.maxDataNumSco),
            ]),
        command(
            .hostNumberOfCompletedPackets, "HostNumberOfCompletedPackets", "7.3.40",
            [.records(.handles, [.handle, .u16(.numComplPackets)])]),
        command(
            .readNumberOfSupportedIAC, "ReadNumberOfSupportedIAC", "7.3.43",
            returns: [.u8(.numSuppIac)]),
        command(
            .readCurrentIACLAP, "ReadCurrentIACLAP", "7.3.44",
            returns: [.records(.iacs, [.u24(.iacLap)])]),
        command(
            .writeCurrentIACLAP, "WriteCurrentIACLAP", "7.3.45",
            [.records(.iacs, [.u24(.iacLap)])]),
        command(
            .writeInquiryScanType, "WriteInquiryScanType", "7.3.48", [.u8(.inqScanType)]),
        command(.writeInquiryMode, "WriteInquiryMode", "7.3.50", [.u8(.inqMode)]),
        command(.writePageScanType, "WritePageScanType", "7.3.52", [.u8(.pageScanType)]),
        command(
            .writeExtendedInquiryResponse, "WriteExtendedInquiryResponse", "7.3.56",
            [.u8(.fecRequired), .bytes(240, .eir)]),
        command(
            .readSimplePairingMode, "ReadSimplePairingMode", "7.3.58",
            returns: [.u8(.simplePairingMode)]),
        command(
            .writeSimplePairingMode, "WriteSimplePairingMode", "7.3.59",
            [.u8(.simplePairingMode)]),
        command(
            .readInquiryResponseTransmitPowerLevel, "ReadInquiryResponseTransmitPowerLevel",
            "7.3.61", returns: [.i8(.transmitPowerLevel)]),
        command(
            .setEventMaskPage2, "SetEventMaskPage2", "7.3.69", [.u64(.eventMask)]),
        command(
            .readLEHostSupport, "ReadLEHostSupport", "7.3.78",
            returns: [.u8(.leSupportedHost), .u8(.leSimultaneousHost)]),
        command(
            .writeLEHostSupport, "WriteLEHostSupport", "7.3.79",
            [.u8(.leSupportedHost), .u8(.leSimultaneousHost)]),
        command(
            .writeSecureConnectionsHostSupport, "WriteSecureConnectionsHostSupport", "7.3.92",
            [.u8(.secureConnectionHostSupport)]),
        command(
            .configureDataPath, "ConfigureDataPath", "7.3.101",
            [.u8(.dataPathDirection), .u8(.dataPathId), .counted(.data)]),
    ]

    /// Informational and status parameters (7.4, 7.5).
    static let informationCommands: [HCICommandLayout] = [
        command(
            .readLocalVersionInformation, "ReadLocalVersionInformation", "7.4.1",
            returns: [
                .u8(.hciVersNr), .u16(.hciRevision), .u8(.lmpVersNr), .u16(.compId),
                .u16(.lmpSubVersNr),
            ]),
        command(
            .readLocalSupportedCommands, "ReadLocalSupportedCommands", "7.4.2",
            returns: [.bytes(64, .localSupportedCmds)]),
        command(
            .readLocalSupportedFeatures, "ReadLocalSupportedFeatures", "7.4.3",
            returns: [.bytes(8, .lmpFeatures)]),
        command(
            .readLocalExtendedFeatures, "ReadLocalExtendedFeatures", "7.4.4",
            [.u8(.pageNumber)],
            returns: [.u8(.pageNumber), .u8(.maxPageNumber), .bytes(8, .lmpFeatures)]),
        command(
            .readBufferSize, "ReadBufferSize", "7.4.5",
            returns: [
                .u16(.maxDataLengthAcl), .u8(.maxDataLengthSco), .u16(.maxDataNumAcl),
                .u16(.maxDataNumSco),
            ]),
        command(.readBDADDR, "ReadBDADDR", "7.4.6", returns: [.address]),
        command(
            .readLocalSupportedCodecs, "ReadLocalSupportedCodecs", "7.4.8",
            returns: [.counted(.codecs), HCIParameter(.vendorCodecs, .rest)]),
        command(
            .readRSSI, "ReadRSSI", "7.5.4", [.handle], returns: [.handle, .i8(.rssi)]),
        command(
            .readEncryptionKeySize, "ReadEncryptionKeySize", "7.5.6", [.handle],
            returns: [.handle, .u8(.encKeySize)]),
    ]
}
