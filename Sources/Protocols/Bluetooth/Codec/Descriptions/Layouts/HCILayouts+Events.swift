extension HCILayouts {
    /// The events (Core 5.4 Vol 4 Part E 7.7).
    public static let events: [HCIEventLayout] = generalEvents + leEvents

    private static let generalEvents: [HCIEventLayout] = [
        event(.inquiryComplete, "InquiryComplete", "7.7.1", [.status]),
        event(
            .connectionComplete, "ConnectionComplete", "7.7.3",
            [.status, .handle, .address, .u8(.linkType), .u8(.encryptionMode)]),
        event(
            .connectionRequest, "ConnectionRequest", "7.7.4",
            [.address, .u24(.classOfDevice), .u8(.linkType)]),
        event(
            .disconnectionComplete, "DisconnectionComplete", "7.7.5",
            [.status, .handle, .u8(.reason)]),
        event(
            .authenticationComplete, "AuthenticationComplete", "7.7.6", [.status, .handle]),
        event(
            .remoteNameRequestComplete, "RemoteNameRequestComplete", "7.7.7",
            [.status, .address, .bytes(248, .remoteName)]),
        event(
            .encryptionChange, "EncryptionChange", "7.7.8",
            [.status, .handle, .u8(.encryptionEnable)]),
        event(
            .encryptionChangeV2, "EncryptionChangeV2", "7.7.8",
            [.status, .handle, .u8(.encryptionEnable), .u8(.encKeySize)]),
        event(
            .readRemoteSupportedFeaturesComplete, "ReadRemoteSupportedFeaturesComplete",
            "7.7.11", [.status, .handle, .bytes(8, .lmpFeatures)]),
        event(
            .readRemoteVersionInformationComplete, "ReadRemoteVersionInformationComplete",
            "7.7.12",
            [.status, .handle, .u8(.lmpVersNr), .u16(.compId), .u16(.lmpSubVersNr)]),
        event(
            .commandComplete, "CommandComplete", "7.7.14",
            [.u8(.numCommandPackets), .u16(.opcode), HCIParameter(.retParams, .rest)]),
        event(
            .commandStatus, "CommandStatus", "7.7.15",
            [.status, .u8(.numCommandPackets), .u16(.opcode)]),
        event(.hardwareError, "HardwareError", "7.7.16", [.u8(.hardwareCode)]),
        event(.roleChange, "RoleChange", "7.7.18", [.status, .address, .u8(.role)]),
        event(
            .numberOfCompletedPackets, "NumberOfCompletedPackets", "7.7.19",
            [.records(.handles, [.handle, .u16(.numComplPackets)])]),
        event(
            .modeChange, "ModeChange", "7.7.20",
            [.status, .handle, .u8(.currentMode), .u16(.interval)]),
        event(.linkKeyRequest, "LinkKeyRequest", "7.7.23", [.address]),
        event(
            .linkKeyNotification, "LinkKeyNotification", "7.7.24",
            [.address, .bytes(16, .linkKey), .u8(.keyType)]),
        event(.dataBufferOverflow, "DataBufferOverflow", "7.7.26", [.u8(.linkType)]),
        event(.maxSlotsChange, "MaxSlotsChange", "7.7.27", [.handle, .u8(.maxSlots)]),
        event(
            .pageScanRepetitionModeChange, "PageScanRepetitionModeChange", "7.7.31",
            [.address, .u8(.pageScanRepetitionMode)]),
        event(
            .readRemoteExtendedFeaturesComplete, "ReadRemoteExtendedFeaturesComplete",
            "7.7.34",
            [
                .status, .handle, .u8(.pageNumber), .u8(.maxPageNumber),
                .bytes(8, .lmpFeatures),
            ]),
        event(
            .encryptionKeyRefreshComplete, "EncryptionKeyRefreshComplete", "7.7.39",
            [.status, .handle]),
        event(.ioCapabilityRequest, "IOCapabilityRequest", "7.7.40", [.address]),
        event(
            .ioCapabilityResponse, "IOCapabilityResponse", "7.7.41",
            [.address, .u8(.ioCapability), .u8(.oobDataPresent), .u8(.authRequirements)]),
        event(
            .userConfirmationRequest, "UserConfirmationRequest", "7.7.42",
            [.address, .u32(.numericValue)]),
        event(
            .simplePairingComplete, "SimplePairingComplete", "7.7.45", [.status, .address]),
        event(
            .linkSupervisionTimeoutChanged, "LinkSupervisionTimeoutChanged", "7.7.46",
            [.handle, .u16(.linkSupervisionTimeout)]),
        event(.vendor, "Vendor", "5.4.4", [HCIParameter(.data, .rest)]),
    ]

    /// LE meta events (7.7.65).
    private static let leEvents: [HCIEventLayout] = [
        event(
            .leConnectionComplete, "LEConnectionComplete", "7.7.65.1",
            [.status, .handle, .u8(.role), .u8(.lePeerAddressType), .address] + connected),
        event(
            .leAdvertisingReport, "LEAdvertisingReport", "7.7.65.2",
            [
                .records(
                    .reports,
                    [
                        .u8(.leAdvtsEventType), .u8(.lePeerAddressType), .address,
                        .counted(.data), .i8(.rssi),
                    ])
            ]),
        event(
            .leConnectionUpdateComplete, "LEConnectionUpdateComplete", "7.7.65.3",
            [
                .status, .handle, .u16(.leConInterval), .u16(.leConLatency),
                .u16(.leSupvTimeout),
            ]),
        event(
            .leReadRemoteFeaturesComplete, "LEReadRemoteFeaturesComplete", "7.7.65.4",
            [.status, .handle, .u64(.leFeatures)]),
        event(
            .leLongTermKeyRequest, "LELongTermKeyRequest", "7.7.65.5",
            [.handle, .bytes(8, .leRandomNumber), .u16(.leEncryptedDiversifier)]),
        event(
            .leRemoteConnectionParameterRequest, "LERemoteConnectionParameterRequest",
            "7.7.65.6",
            [
                .handle, .u16(.leMinInterval), .u16(.leMaxInterval), .u16(.leConLatency),
                .u16(.leSupvTimeout),
            ]),
        event(
            .leDataLengthChange, "LEDataLengthChange", "7.7.65.7",
            [
                .handle, .u16(.maxTxOctets), .u16(.maxTxTime), .u16(.maxRxOctets),
                .u16(.maxRxTime),
            ]),
        event(
            .leReadLocalP256PublicKeyComplete, "LEReadLocalP256PublicKeyComplete", "7.7.65.8",
            [.status, .bytes(64, .leLocalP256PublicKey)]),
        event(
            .leGenerateDHKeyComplete, "LEGenerateDHKeyComplete", "7.7.65.9",
            [.status, .bytes(32, .dhkey)]),
        event(
            .leEnhancedConnectionComplete, "LEEnhancedConnectionComplete", "7.7.65.10",
            enhanced),
        event(
            .leEnhancedConnectionCompleteV2, "LEEnhancedConnectionCompleteV2", "7.7.65.10",
            enhanced + [.u8(.advertisingHandle), .u16(.syncHandle)]),
        event(
            .leDirectedAdvertisingReport, "LEDirectedAdvertisingReport", "7.7.65.11",
            [
                .records(
                    .reports,
                    [
                        .u8(.leAdvtsEventType), .u8(.lePeerAddressType), .address,
                        .u8(.leDirectAddressType), HCIParameter(.directBdAddr, .address),
                        .i8(.rssi),
                    ])
            ]),
        event(
            .lePHYUpdateComplete, "LEPHYUpdateComplete", "7.7.65.12",
            [.status, .handle, .u8(.leTxPhy), .u8(.leRxPhy)]),
        event(
            .leExtendedAdvertisingReport, "LEExtendedAdvertisingReport", "7.7.65.13",
            [
                .records(
                    .reports,
                    [
                        .u16(.leExtAdvtsEventType), .u8(.lePeerAddressType), .address,
                        .u8(.primaryPhy), .u8(.secondaryPhy), .u8(.advertisingSid),
                        .i8(.txPower), .i8(.rssi), .u16(.periodicAdvertisingInterval),
                        .u8(.leDirectAddressType), HCIParameter(.directBdAddr, .address),
                        .counted(.data),
                    ])
            ]),
        event(.leScanTimeout, "LEScanTimeout", "7.7.65.17", []),
        event(
            .leAdvertisingSetTerminated, "LEAdvertisingSetTerminated", "7.7.65.18",
            [.status, .u8(.advertisingHandle), .handle, .u8(.numComplExtAdvEvents)]),
        event(
            .leChannelSelectionAlgorithm, "LEChannelSelectionAlgorithm", "7.7.65.20",
            [.handle, .u8(.channelSelectionAlgorithm)]),
    ]

    private static let connected: [HCIParameter] = [
        .u16(.leConInterval), .u16(.leConLatency), .u16(.leSupvTimeout),
        .u8(.leMasterClockAccuracy),
    ]

    private static let enhanced: [HCIParameter] =
        [
            .status, .handle, .u8(.role), .u8(.lePeerAddressType), .address,
            HCIParameter(.leLocalRpa, .address), HCIParameter(.lePeerRpa, .address),
        ] + connected
}
