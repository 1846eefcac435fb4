/// The known events (Core 5.4 Vol 4 Part E 7.7).
extension HCIEventKind {
    /// InquiryComplete.
    public static let inquiryComplete = HCIEventKind(0x01)
    /// ConnectionComplete.
    public static let connectionComplete = HCIEventKind(0x03)
    /// ConnectionRequest.
    public static let connectionRequest = HCIEventKind(0x04)
    /// DisconnectionComplete.
    public static let disconnectionComplete = HCIEventKind(0x05)
    /// AuthenticationComplete.
    public static let authenticationComplete = HCIEventKind(0x06)
    /// RemoteNameRequestComplete.
    public static let remoteNameRequestComplete = HCIEventKind(0x07)
    /// EncryptionChange.
    public static let encryptionChange = HCIEventKind(0x08)
    /// ReadRemoteSupportedFeaturesComplete.
    public static let readRemoteSupportedFeaturesComplete = HCIEventKind(0x0B)
    /// ReadRemoteVersionInformationComplete.
    public static let readRemoteVersionInformationComplete = HCIEventKind(0x0C)
    /// CommandComplete.
    public static let commandComplete = HCIEventKind(0x0E)
    /// CommandStatus.
    public static let commandStatus = HCIEventKind(0x0F)
    /// HardwareError.
    public static let hardwareError = HCIEventKind(0x10)
    /// RoleChange.
    public static let roleChange = HCIEventKind(0x12)
    /// NumberOfCompletedPackets.
    public static let numberOfCompletedPackets = HCIEventKind(0x13)
    /// ModeChange.
    public static let modeChange = HCIEventKind(0x14)
    /// LinkKeyRequest.
    public static let linkKeyRequest = HCIEventKind(0x17)
    /// LinkKeyNotification.
    public static let linkKeyNotification = HCIEventKind(0x18)
    /// DataBufferOverflow.
    public static let dataBufferOverflow = HCIEventKind(0x1A)
    /// MaxSlotsChange.
    public static let maxSlotsChange = HCIEventKind(0x1B)
    /// PageScanRepetitionModeChange.
    public static let pageScanRepetitionModeChange = HCIEventKind(0x20)
    /// ReadRemoteExtendedFeaturesComplete.
    public static let readRemoteExtendedFeaturesComplete = HCIEventKind(0x23)
    /// EncryptionKeyRefreshComplete.
    public static let encryptionKeyRefreshComplete = HCIEventKind(0x30)
    /// IOCapabilityRequest.
    public static let ioCapabilityRequest = HCIEventKind(0x31)
    /// IOCapabilityResponse.
    public static let ioCapabilityResponse = HCIEventKind(0x32)
    /// UserConfirmationRequest.
    public static let userConfirmationRequest = HCIEventKind(0x33)
    /// SimplePairingComplete.
    public static let simplePairingComplete = HCIEventKind(0x36)
    /// LinkSupervisionTimeoutChanged.
    public static let linkSupervisionTimeoutChanged = HCIEventKind(0x38)
    /// EncryptionChangeV2.
    public static let encryptionChangeV2 = HCIEventKind(0x59)
    /// Vendor.
    public static let vendor = HCIEventKind(0xFF)
    /// LEConnectionComplete.
    public static let leConnectionComplete = HCIEventKind(leMetaCode, subevent: 0x01)
    /// LEAdvertisingReport.
    public static let leAdvertisingReport = HCIEventKind(leMetaCode, subevent: 0x02)
    /// LEConnectionUpdateComplete.
    public static let leConnectionUpdateComplete = HCIEventKind(leMetaCode, subevent: 0x03)
    /// LEReadRemoteFeaturesComplete.
    public static let leReadRemoteFeaturesComplete = HCIEventKind(leMetaCode, subevent: 0x04)
    /// LELongTermKeyRequest.
    public static let leLongTermKeyRequest = HCIEventKind(leMetaCode, subevent: 0x05)
    /// LERemoteConnectionParameterRequest.
    public static let leRemoteConnectionParameterRequest = HCIEventKind(leMetaCode, subevent: 0x06)
    /// LEDataLengthChange.
    public static let leDataLengthChange = HCIEventKind(leMetaCode, subevent: 0x07)
    /// LEReadLocalP256PublicKeyComplete.
    public static let leReadLocalP256PublicKeyComplete = HCIEventKind(leMetaCode, subevent: 0x08)
    /// LEGenerateDHKeyComplete.
    public static let leGenerateDHKeyComplete = HCIEventKind(leMetaCode, subevent: 0x09)
    /// LEEnhancedConnectionComplete.
    public static let leEnhancedConnectionComplete = HCIEventKind(leMetaCode, subevent: 0x0A)
    /// LEDirectedAdvertisingReport.
    public static let leDirectedAdvertisingReport = HCIEventKind(leMetaCode, subevent: 0x0B)
    /// LEPHYUpdateComplete.
    public static let lePHYUpdateComplete = HCIEventKind(leMetaCode, subevent: 0x0C)
    /// LEExtendedAdvertisingReport.
    public static let leExtendedAdvertisingReport = HCIEventKind(leMetaCode, subevent: 0x0D)
    /// LEScanTimeout.
    public static let leScanTimeout = HCIEventKind(leMetaCode, subevent: 0x11)
    /// LEAdvertisingSetTerminated.
    public static let leAdvertisingSetTerminated = HCIEventKind(leMetaCode, subevent: 0x12)
    /// LEChannelSelectionAlgorithm.
    public static let leChannelSelectionAlgorithm = HCIEventKind(leMetaCode, subevent: 0x14)
    /// LEEnhancedConnectionCompleteV2.
    public static let leEnhancedConnectionCompleteV2 = HCIEventKind(leMetaCode, subevent: 0x29)
}
