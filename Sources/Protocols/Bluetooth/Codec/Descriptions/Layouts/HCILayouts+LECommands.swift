extension HCILayouts {
    /// LE commands of the first versions (Core 5.4 Vol 4 Part E 7.8).
    static let leCommands: [HCICommandLayout] = [
        command(.leSetEventMask, "LESetEventMask", "7.8.1", [.u64(.leEventMask)]),
        command(
            .leReadBufferSize, "LEReadBufferSize", "7.8.2",
            returns: [.u16(.leAclDataPktLen), .u8(.leTotalNumAclDataPkts)]),
        command(
            .leReadBufferSizeV2, "LEReadBufferSizeV2", "7.8.2",
            returns: [
                .u16(.leAclDataPktLen), .u8(.leTotalNumAclDataPkts), .u16(.isoDataPktLen),
                .u8(.totalNumIsoDataPkts),
            ]),
        command(
            .leReadLocalSupportedFeatures, "LEReadLocalSupportedFeatures", "7.8.3",
            returns: [.u64(.leFeatures)]),
        command(.leSetRandomAddress, "LESetRandomAddress", "7.8.4", [.address]),
        command(
            .leSetAdvertisingParameters, "LESetAdvertisingParameters", "7.8.5",
            [
                .u16(.leAdvtsIntervalMin), .u16(.leAdvtsIntervalMax), .u8(.leAdvtsType),
                .u8(.leOwnAddressType), .u8(.leDirectAddressType), .address,
                .u8(.leAdvtsChannelMap), .u8(.leAdvtsFilterPolicy),
            ]),
        command(
            .leReadAdvertisingPhysicalChannelTxPower, "LEReadAdvertisingPhysicalChannelTxPower",
            "7.8.6", returns: [.i8(.transmitPowerLevel)]),
        command(
            .leSetAdvertisingData, "LESetAdvertisingData", "7.8.7",
            [.u8(.leDataLength), .bytes(31, .data)]),
        command(
            .leSetScanResponseData, "LESetScanResponseData", "7.8.8",
            [.u8(.leDataLength), .bytes(31, .data)]),
        command(
            .leSetAdvertisingEnable, "LESetAdvertisingEnable", "7.8.9", [.u8(.leAdvtsEnable)]),
        command(
            .leSetScanParameters, "LESetScanParameters", "7.8.10",
            [
                .u8(.leScanType), .u16(.leScanInterval), .u16(.leScanWindow),
                .u8(.leOwnAddressType), .u8(.leScanFilterPolicy),
            ]),
        command(
            .leSetScanEnable, "LESetScanEnable", "7.8.11",
            [.u8(.leScanEnable), .u8(.leFilterDuplicates)]),
        command(
            .leCreateConnection, "LECreateConnection", "7.8.12",
            [
                .u16(.leScanInterval), .u16(.leScanWindow), .u8(.leInitiatorFilterPolicy),
                .u8(.lePeerAddressType), .address, .u8(.leOwnAddressType),
            ] + connection, returns: nil),
        command(.leCreateConnectionCancel, "LECreateConnectionCancel", "7.8.13"),
        command(
            .leReadFilterAcceptListSize, "LEReadFilterAcceptListSize", "7.8.14",
            returns: [.u8(.leFilterAcceptListSize)]),
        command(.leClearFilterAcceptList, "LEClearFilterAcceptList", "7.8.15"),
        command(
            .leAddDeviceToFilterAcceptList, "LEAddDeviceToFilterAcceptList", "7.8.16",
            [.u8(.leAddressType), .address]),
        command(
            .leRemoveDeviceFromFilterAcceptList, "LERemoveDeviceFromFilterAcceptList", "7.8.17",
            [.u8(.leAddressType), .address]),
        command(
            .leConnectionUpdate, "LEConnectionUpdate", "7.8.18", [.handle] + connection,
            returns: nil),
        command(
            .leReadRemoteFeatures, "LEReadRemoteFeatures", "7.8.21", [.handle], returns: nil),
        command(
            .leEncrypt, "LEEncrypt", "7.8.22", [.bytes(16, .leKey), .bytes(16, .lePlaintext)],
            returns: [.bytes(16, .leEncryptedData)]),
        command(.leRand, "LERand", "7.8.23", returns: [.bytes(8, .leRandomNumber)]),
        command(
            .leEnableEncryption, "LEEnableEncryption", "7.8.24",
            [
                .handle, .bytes(8, .leRandomNumber), .u16(.leEncryptedDiversifier),
                .bytes(16, .leLongTermKey),
            ], returns: nil),
        command(
            .leLongTermKeyRequestReply, "LELongTermKeyRequestReply", "7.8.25",
            [.handle, .bytes(16, .leLongTermKey)], returns: [.handle]),
        command(
            .leLongTermKeyRequestNegativeReply, "LELongTermKeyRequestNegativeReply", "7.8.26",
            [.handle], returns: [.handle]),
        command(
            .leReadSupportedStates, "LEReadSupportedStates", "7.8.27",
            returns: [.bytes(8, .leStates)]),
        command(
            .leRemoteConnectionParameterRequestReply, "LERemoteConnectionParameterRequestReply",
            "7.8.31", [.handle] + connection, returns: [.handle]),
        command(
            .leRemoteConnectionParameterRequestNegativeReply,
            "LERemoteConnectionParameterRequestNegativeReply", "7.8.32",
            [.handle, .u8(.reason)], returns: [.handle]),
        command(
            .leSetDataLength, "LESetDataLength", "7.8.33",
            [.handle, .u16(.leTxOctets), .u16(.leTxTime)], returns: [.handle]),
        command(
            .leReadSuggestedDefaultDataLength, "LEReadSuggestedDefaultDataLength", "7.8.34",
            returns: [.u16(.leSuggestedMaxTxOctets), .u16(.leSuggestedMaxTxTime)]),
        command(
            .leWriteSuggestedDefaultDataLength, "LEWriteSuggestedDefaultDataLength", "7.8.35",
            [.u16(.leSuggestedMaxTxOctets), .u16(.leSuggestedMaxTxTime)]),
        command(
            .leReadLocalP256PublicKey, "LEReadLocalP256PublicKey", "7.8.36", returns: nil),
        command(
            .leGenerateDHKey, "LEGenerateDHKey", "7.8.37",
            [.bytes(64, .leRemoteP256PublicKey)], returns: nil),
        command(
            .leAddDeviceToResolvingList, "LEAddDeviceToResolvingList", "7.8.38",
            [
                .u8(.lePeerIdentityAddressType), .address, .bytes(16, .lePeerIrk),
                .bytes(16, .leLocalIrk),
            ]),
        command(
            .leRemoveDeviceFromResolvingList, "LERemoveDeviceFromResolvingList", "7.8.39",
            [.u8(.lePeerIdentityAddressType), .address]),
        command(.leClearResolvingList, "LEClearResolvingList", "7.8.40"),
        command(
            .leReadResolvingListSize, "LEReadResolvingListSize", "7.8.41",
            returns: [.u8(.resolvingListSize)]),
        command(
            .leSetAddressResolutionEnable, "LESetAddressResolutionEnable", "7.8.44",
            [.u8(.leAddressResolutionEnable)]),
        command(
            .leSetResolvablePrivateAddressTimeout, "LESetResolvablePrivateAddressTimeout",
            "7.8.45", [.u16(.leRpaTimeout)]),
        command(
            .leReadMaximumDataLength, "LEReadMaximumDataLength", "7.8.46",
            returns: [
                .u16(.maxTxOctets), .u16(.maxTxTime), .u16(.maxRxOctets), .u16(.maxRxTime),
            ]),
        command(
            .leReadPHY, "LEReadPHY", "7.8.47", [.handle],
            returns: [.handle, .u8(.leTxPhy), .u8(.leRxPhy)]),
        command(
            .leSetDefaultPHY, "LESetDefaultPHY", "7.8.48",
            [.u8(.allPhys), .u8(.txPhys), .u8(.rxPhys)]),
        command(
            .leSetPHY, "LESetPHY", "7.8.49",
            [.handle, .u8(.allPhys), .u8(.txPhys), .u8(.rxPhys), .u16(.phyOptions)],
            returns: nil),
        command(
            .leReadTransmitPower, "LEReadTransmitPower", "7.8.74",
            returns: [.i8(.minTxPower), .i8(.maxTxPower)]),
        command(
            .leSetPrivacyMode, "LESetPrivacyMode", "7.8.77",
            [.u8(.lePeerIdentityAddressType), .address, .u8(.lePrivacyMode)]),
    ]

    /// The parameters of a connection.
    private static let connection: [HCIParameter] = [
        .u16(.leConIntervalMin), .u16(.leConIntervalMax), .u16(.leConLatency),
        .u16(.leSupvTimeout), .u16(.leMinCeLength), .u16(.leMaxCeLength),
    ]

    /// Extended advertising, scanning and initiating (7.8.52 to 7.8.66).
    static let leExtendedCommands: [HCICommandLayout] = [
        command(
            .leSetAdvertisingSetRandomAddress, "LESetAdvertisingSetRandomAddress", "7.8.52",
            [.u8(.advertisingHandle), .address]),
        command(
            .leSetExtendedAdvertisingParameters, "LESetExtendedAdvertisingParameters", "7.8.53",
            [
                .u8(.advertisingHandle), .u16(.advertisingProperties),
                .u24(.leAdvtsIntervalMin), .u24(.leAdvtsIntervalMax), .u8(.leAdvtsChannelMap),
                .u8(.leOwnAddressType), .u8(.lePeerAddressType), .address,
                .u8(.leAdvtsFilterPolicy), .i8(.advertisingTxPower),
                .u8(.primaryAdvertisingPhy), .u8(.secondaryAdvertisingMaxSkip),
                .u8(.secondaryAdvertisingPhy), .u8(.advertisingSid),
                .u8(.scanRequestNotificationEnable),
            ], returns: [.i8(.selectedTxPower)]),
        command(
            .leSetExtendedAdvertisingData, "LESetExtendedAdvertisingData", "7.8.54",
            [
                .u8(.advertisingHandle), .u8(.advDataOperation), .u8(.advFragmentPreference),
                .counted(.data),
            ]),
        command(
            .leSetExtendedScanResponseData, "LESetExtendedScanResponseData", "7.8.55",
            [
                .u8(.advertisingHandle), .u8(.advDataOperation), .u8(.advFragmentPreference),
                .counted(.data),
            ]),
        command(
            .leSetExtendedAdvertisingEnable, "LESetExtendedAdvertisingEnable", "7.8.56",
            [
                .u8(.leAdvtsEnable),
                .records(
                    .leAdvSet,
                    [
                        .u8(.advertisingHandle), .u16(.advDuration),
                        .u8(.maxExtendedAdvertisingEvents),
                    ]),
            ]),
        command(
            .leReadMaximumAdvertisingDataLength, "LEReadMaximumAdvertisingDataLength", "7.8.57",
            returns: [.u16(.maxAdvDataLength)]),
        command(
            .leReadNumberOfSupportedAdvertisingSets, "LEReadNumberOfSupportedAdvertisingSets",
            "7.8.58", returns: [.u8(.numSupportedAdvSets)]),
        command(
            .leRemoveAdvertisingSet, "LERemoveAdvertisingSet", "7.8.59",
            [.u8(.advertisingHandle)]),
        command(.leClearAdvertisingSets, "LEClearAdvertisingSets", "7.8.60"),
        command(
            .leSetExtendedScanParameters, "LESetExtendedScanParameters", "7.8.64",
            [
                .u8(.leOwnAddressType), .u8(.leScanFilterPolicy), .u8(.leScanPhys),
                .perBit(
                    of: .leScanPhys, .leScanPhyParam,
                    [.u8(.leScanType), .u16(.leScanInterval), .u16(.leScanWindow)]),
            ]),
        command(
            .leSetExtendedScanEnable, "LESetExtendedScanEnable", "7.8.65",
            [
                .u8(.leScanEnable), .u8(.leFilterDuplicates), .u16(.scanDuration),
                .u16(.scanPeriod),
            ]),
        command(
            .leExtendedCreateConnection, "LEExtendedCreateConnection", "7.8.66",
            [
                .u8(.leInitiatorFilterPolicy), .u8(.leOwnAddressType), .u8(.lePeerAddressType),
                .address, .u8(.leInitPhys),
                .perBit(
                    of: .leInitPhys, .leInitPhyParam,
                    [.u16(.leScanInterval), .u16(.leScanWindow)] + connection),
            ], returns: nil),
    ]
}
