/// The known codes (Core 5.4 Vol 4 Part E 7; Assigned Numbers).
extension HCIOpcode {
    /// Inquiry.
    public static let inquiry = HCIOpcode(rawValue: 0x0401)
    /// InquiryCancel.
    public static let inquiryCancel = HCIOpcode(rawValue: 0x0402)
    /// CreateConnection.
    public static let createConnection = HCIOpcode(rawValue: 0x0405)
    /// Disconnect.
    public static let disconnect = HCIOpcode(rawValue: 0x0406)
    /// CreateConnectionCancel.
    public static let createConnectionCancel = HCIOpcode(rawValue: 0x0408)
    /// AcceptConnectionRequest.
    public static let acceptConnectionRequest = HCIOpcode(rawValue: 0x0409)
    /// RejectConnectionRequest.
    public static let rejectConnectionRequest = HCIOpcode(rawValue: 0x040A)
    /// LinkKeyRequestReply.
    public static let linkKeyRequestReply = HCIOpcode(rawValue: 0x040B)
    /// LinkKeyRequestNegativeReply.
    public static let linkKeyRequestNegativeReply = HCIOpcode(rawValue: 0x040C)
    /// AuthenticationRequested.
    public static let authenticationRequested = HCIOpcode(rawValue: 0x0411)
    /// SetConnectionEncryption.
    public static let setConnectionEncryption = HCIOpcode(rawValue: 0x0413)
    /// RemoteNameRequest.
    public static let remoteNameRequest = HCIOpcode(rawValue: 0x0419)
    /// RemoteNameRequestCancel.
    public static let remoteNameRequestCancel = HCIOpcode(rawValue: 0x041A)
    /// ReadRemoteSupportedFeatures.
    public static let readRemoteSupportedFeatures = HCIOpcode(rawValue: 0x041B)
    /// ReadRemoteExtendedFeatures.
    public static let readRemoteExtendedFeatures = HCIOpcode(rawValue: 0x041C)
    /// ReadRemoteVersionInformation.
    public static let readRemoteVersionInformation = HCIOpcode(rawValue: 0x041D)
    /// IOCapabilityRequestReply.
    public static let ioCapabilityRequestReply = HCIOpcode(rawValue: 0x042B)
    /// UserConfirmationRequestReply.
    public static let userConfirmationRequestReply = HCIOpcode(rawValue: 0x042C)
    /// UserConfirmationRequestNegativeReply.
    public static let userConfirmationRequestNegativeReply = HCIOpcode(rawValue: 0x042D)
    /// IOCapabilityRequestNegativeReply.
    public static let ioCapabilityRequestNegativeReply = HCIOpcode(rawValue: 0x0434)
    /// SniffMode.
    public static let sniffMode = HCIOpcode(rawValue: 0x0803)
    /// ExitSniffMode.
    public static let exitSniffMode = HCIOpcode(rawValue: 0x0804)
    /// SwitchRole.
    public static let switchRole = HCIOpcode(rawValue: 0x080B)
    /// WriteDefaultLinkPolicySettings.
    public static let writeDefaultLinkPolicySettings = HCIOpcode(rawValue: 0x080F)
    /// SetEventMask.
    public static let setEventMask = HCIOpcode(rawValue: 0x0C01)
    /// Reset.
    public static let reset = HCIOpcode(rawValue: 0x0C03)
    /// SetEventFilter.
    public static let setEventFilter = HCIOpcode(rawValue: 0x0C05)
    /// DeleteStoredLinkKey.
    public static let deleteStoredLinkKey = HCIOpcode(rawValue: 0x0C12)
    /// WriteLocalName.
    public static let writeLocalName = HCIOpcode(rawValue: 0x0C13)
    /// ReadLocalName.
    public static let readLocalName = HCIOpcode(rawValue: 0x0C14)
    /// WriteConnectionAcceptTimeout.
    public static let writeConnectionAcceptTimeout = HCIOpcode(rawValue: 0x0C16)
    /// WritePageTimeout.
    public static let writePageTimeout = HCIOpcode(rawValue: 0x0C18)
    /// ReadScanEnable.
    public static let readScanEnable = HCIOpcode(rawValue: 0x0C19)
    /// WriteScanEnable.
    public static let writeScanEnable = HCIOpcode(rawValue: 0x0C1A)
    /// WritePageScanActivity.
    public static let writePageScanActivity = HCIOpcode(rawValue: 0x0C1C)
    /// WriteInquiryScanActivity.
    public static let writeInquiryScanActivity = HCIOpcode(rawValue: 0x0C1E)
    /// ReadClassOfDevice.
    public static let readClassOfDevice = HCIOpcode(rawValue: 0x0C23)
    /// WriteClassOfDevice.
    public static let writeClassOfDevice = HCIOpcode(rawValue: 0x0C24)
    /// ReadVoiceSetting.
    public static let readVoiceSetting = HCIOpcode(rawValue: 0x0C25)
    /// WriteVoiceSetting.
    public static let writeVoiceSetting = HCIOpcode(rawValue: 0x0C26)
    /// WriteSynchronousFlowControlEnable.
    public static let writeSynchronousFlowControlEnable = HCIOpcode(rawValue: 0x0C2F)
    /// SetControllerToHostFlowControl.
    public static let setControllerToHostFlowControl = HCIOpcode(rawValue: 0x0C31)
    /// HostBufferSize.
    public static let hostBufferSize = HCIOpcode(rawValue: 0x0C33)
    /// HostNumberOfCompletedPackets.
    public static let hostNumberOfCompletedPackets = HCIOpcode(rawValue: 0x0C35)
    /// ReadNumberOfSupportedIAC.
    public static let readNumberOfSupportedIAC = HCIOpcode(rawValue: 0x0C38)
    /// ReadCurrentIACLAP.
    public static let readCurrentIACLAP = HCIOpcode(rawValue: 0x0C39)
    /// WriteCurrentIACLAP.
    public static let writeCurrentIACLAP = HCIOpcode(rawValue: 0x0C3A)
    /// WriteInquiryScanType.
    public static let writeInquiryScanType = HCIOpcode(rawValue: 0x0C43)
    /// WriteInquiryMode.
    public static let writeInquiryMode = HCIOpcode(rawValue: 0x0C45)
    /// WritePageScanType.
    public static let writePageScanType = HCIOpcode(rawValue: 0x0C47)
    /// WriteExtendedInquiryResponse.
    public static let writeExtendedInquiryResponse = HCIOpcode(rawValue: 0x0C52)
    /// ReadSimplePairingMode.
    public static let readSimplePairingMode = HCIOpcode(rawValue: 0x0C55)
    /// WriteSimplePairingMode.
    public static let writeSimplePairingMode = HCIOpcode(rawValue: 0x0C56)
    /// ReadInquiryResponseTransmitPowerLevel.
    public static let readInquiryResponseTransmitPowerLevel = HCIOpcode(rawValue: 0x0C58)
    /// SetEventMaskPage2.
    public static let setEventMaskPage2 = HCIOpcode(rawValue: 0x0C63)
    /// ReadLEHostSupport.
    public static let readLEHostSupport = HCIOpcode(rawValue: 0x0C6C)
    /// WriteLEHostSupport.
    public static let writeLEHostSupport = HCIOpcode(rawValue: 0x0C6D)
    /// WriteSecureConnectionsHostSupport.
    public static let writeSecureConnectionsHostSupport = HCIOpcode(rawValue: 0x0C7A)
    /// ConfigureDataPath.
    public static let configureDataPath = HCIOpcode(rawValue: 0x0C83)
    /// ReadLocalVersionInformation.
    public static let readLocalVersionInformation = HCIOpcode(rawValue: 0x1001)
    /// ReadLocalSupportedCommands.
    public static let readLocalSupportedCommands = HCIOpcode(rawValue: 0x1002)
    /// ReadLocalSupportedFeatures.
    public static let readLocalSupportedFeatures = HCIOpcode(rawValue: 0x1003)
    /// ReadLocalExtendedFeatures.
    public static let readLocalExtendedFeatures = HCIOpcode(rawValue: 0x1004)
    /// ReadBufferSize.
    public static let readBufferSize = HCIOpcode(rawValue: 0x1005)
    /// ReadBDADDR.
    public static let readBDADDR = HCIOpcode(rawValue: 0x1009)
    /// ReadLocalSupportedCodecs.
    public static let readLocalSupportedCodecs = HCIOpcode(rawValue: 0x100B)
    /// ReadRSSI.
    public static let readRSSI = HCIOpcode(rawValue: 0x1405)
    /// ReadEncryptionKeySize.
    public static let readEncryptionKeySize = HCIOpcode(rawValue: 0x1408)
    /// LESetEventMask.
    public static let leSetEventMask = HCIOpcode(rawValue: 0x2001)
    /// LEReadBufferSize.
    public static let leReadBufferSize = HCIOpcode(rawValue: 0x2002)
    /// LEReadLocalSupportedFeatures.
    public static let leReadLocalSupportedFeatures = HCIOpcode(rawValue: 0x2003)
    /// LESetRandomAddress.
    public static let leSetRandomAddress = HCIOpcode(rawValue: 0x2005)
    /// LESetAdvertisingParameters.
    public static let leSetAdvertisingParameters = HCIOpcode(rawValue: 0x2006)
    /// LEReadAdvertisingPhysicalChannelTxPower.
    public static let leReadAdvertisingPhysicalChannelTxPower = HCIOpcode(rawValue: 0x2007)
    /// LESetAdvertisingData.
    public static let leSetAdvertisingData = HCIOpcode(rawValue: 0x2008)
    /// LESetScanResponseData.
    public static let leSetScanResponseData = HCIOpcode(rawValue: 0x2009)
    /// LESetAdvertisingEnable.
    public static let leSetAdvertisingEnable = HCIOpcode(rawValue: 0x200A)
    /// LESetScanParameters.
    public static let leSetScanParameters = HCIOpcode(rawValue: 0x200B)
    /// LESetScanEnable.
    public static let leSetScanEnable = HCIOpcode(rawValue: 0x200C)
    /// LECreateConnection.
    public static let leCreateConnection = HCIOpcode(rawValue: 0x200D)
    /// LECreateConnectionCancel.
    public static let leCreateConnectionCancel = HCIOpcode(rawValue: 0x200E)
    /// LEReadFilterAcceptListSize.
    public static let leReadFilterAcceptListSize = HCIOpcode(rawValue: 0x200F)
    /// LEClearFilterAcceptList.
    public static let leClearFilterAcceptList = HCIOpcode(rawValue: 0x2010)
    /// LEAddDeviceToFilterAcceptList.
    public static let leAddDeviceToFilterAcceptList = HCIOpcode(rawValue: 0x2011)
    /// LERemoveDeviceFromFilterAcceptList.
    public static let leRemoveDeviceFromFilterAcceptList = HCIOpcode(rawValue: 0x2012)
    /// LEConnectionUpdate.
    public static let leConnectionUpdate = HCIOpcode(rawValue: 0x2013)
    /// LEReadRemoteFeatures.
    public static let leReadRemoteFeatures = HCIOpcode(rawValue: 0x2016)
    /// LEEncrypt.
    public static let leEncrypt = HCIOpcode(rawValue: 0x2017)
    /// LERand.
    public static let leRand = HCIOpcode(rawValue: 0x2018)
    /// LEEnableEncryption.
    public static let leEnableEncryption = HCIOpcode(rawValue: 0x2019)
    /// LELongTermKeyRequestReply.
    public static let leLongTermKeyRequestReply = HCIOpcode(rawValue: 0x201A)
    /// LELongTermKeyRequestNegativeReply.
    public static let leLongTermKeyRequestNegativeReply = HCIOpcode(rawValue: 0x201B)
    /// LEReadSupportedStates.
    public static let leReadSupportedStates = HCIOpcode(rawValue: 0x201C)
    /// LERemoteConnectionParameterRequestReply.
    public static let leRemoteConnectionParameterRequestReply = HCIOpcode(rawValue: 0x2020)
    /// LERemoteConnectionParameterRequestNegativeReply.
    public static let leRemoteConnectionParameterRequestNegativeReply = HCIOpcode(rawValue: 0x2021)
    /// LESetDataLength.
    public static let leSetDataLength = HCIOpcode(rawValue: 0x2022)
    /// LEReadSuggestedDefaultDataLength.
    public static let leReadSuggestedDefaultDataLength = HCIOpcode(rawValue: 0x2023)
    /// LEWriteSuggestedDefaultDataLength.
    public static let leWriteSuggestedDefaultDataLength = HCIOpcode(rawValue: 0x2024)
    /// LEReadLocalP256PublicKey.
    public static let leReadLocalP256PublicKey = HCIOpcode(rawValue: 0x2025)
    /// LEGenerateDHKey.
    public static let leGenerateDHKey = HCIOpcode(rawValue: 0x2026)
    /// LEAddDeviceToResolvingList.
    public static let leAddDeviceToResolvingList = HCIOpcode(rawValue: 0x2027)
    /// LERemoveDeviceFromResolvingList.
    public static let leRemoveDeviceFromResolvingList = HCIOpcode(rawValue: 0x2028)
    /// LEClearResolvingList.
    public static let leClearResolvingList = HCIOpcode(rawValue: 0x2029)
    /// LEReadResolvingListSize.
    public static let leReadResolvingListSize = HCIOpcode(rawValue: 0x202A)
    /// LESetAddressResolutionEnable.
    public static let leSetAddressResolutionEnable = HCIOpcode(rawValue: 0x202D)
    /// LESetResolvablePrivateAddressTimeout.
    public static let leSetResolvablePrivateAddressTimeout = HCIOpcode(rawValue: 0x202E)
    /// LEReadMaximumDataLength.
    public static let leReadMaximumDataLength = HCIOpcode(rawValue: 0x202F)
    /// LEReadPHY.
    public static let leReadPHY = HCIOpcode(rawValue: 0x2030)
    /// LESetDefaultPHY.
    public static let leSetDefaultPHY = HCIOpcode(rawValue: 0x2031)
    /// LESetPHY.
    public static let leSetPHY = HCIOpcode(rawValue: 0x2032)
    /// LESetAdvertisingSetRandomAddress.
    public static let leSetAdvertisingSetRandomAddress = HCIOpcode(rawValue: 0x2035)
    /// LESetExtendedAdvertisingParameters.
    public static let leSetExtendedAdvertisingParameters = HCIOpcode(rawValue: 0x2036)
    /// LESetExtendedAdvertisingData.
    public static let leSetExtendedAdvertisingData = HCIOpcode(rawValue: 0x2037)
    /// LESetExtendedScanResponseData.
    public static let leSetExtendedScanResponseData = HCIOpcode(rawValue: 0x2038)
    /// LESetExtendedAdvertisingEnable.
    public static let leSetExtendedAdvertisingEnable = HCIOpcode(rawValue: 0x2039)
    /// LEReadMaximumAdvertisingDataLength.
    public static let leReadMaximumAdvertisingDataLength = HCIOpcode(rawValue: 0x203A)
    /// LEReadNumberOfSupportedAdvertisingSets.
    public static let leReadNumberOfSupportedAdvertisingSets = HCIOpcode(rawValue: 0x203B)
    /// LERemoveAdvertisingSet.
    public static let leRemoveAdvertisingSet = HCIOpcode(rawValue: 0x203C)
    /// LEClearAdvertisingSets.
    public static let leClearAdvertisingSets = HCIOpcode(rawValue: 0x203D)
    /// LESetExtendedScanParameters.
    public static let leSetExtendedScanParameters = HCIOpcode(rawValue: 0x2041)
    /// LESetExtendedScanEnable.
    public static let leSetExtendedScanEnable = HCIOpcode(rawValue: 0x2042)
    /// LEExtendedCreateConnection.
    public static let leExtendedCreateConnection = HCIOpcode(rawValue: 0x2043)
    /// LEReadTransmitPower.
    public static let leReadTransmitPower = HCIOpcode(rawValue: 0x204B)
    /// LESetPrivacyMode.
    public static let leSetPrivacyMode = HCIOpcode(rawValue: 0x204E)
    /// LEReadBufferSizeV2.
    public static let leReadBufferSizeV2 = HCIOpcode(rawValue: 0x2060)
}
