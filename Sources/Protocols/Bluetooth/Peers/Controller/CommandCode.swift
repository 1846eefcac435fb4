/// The commands that the controller implements (Core 5.4 Vol 4 Part E 7).
enum CommandCode: UInt16, CaseIterable {
    case inquiry = 0x0401
    case inquiryCancel = 0x0402
    case createConnection = 0x0405
    case disconnect = 0x0406
    case createConnectionCancel = 0x0408
    case acceptConnection = 0x0409
    case rejectConnection = 0x040A
    case remoteName = 0x0419
    case readRemoteFeatures = 0x041B
    case readRemoteExtendedFeatures = 0x041C
    case readRemoteVersion = 0x041D
    case setEventMask = 0x0C01
    case reset = 0x0C03
    case writeLocalName = 0x0C13
    case readLocalName = 0x0C14
    case writeAcceptTimeout = 0x0C16
    case writePageTimeout = 0x0C18
    case writeScanEnable = 0x0C1A
    case writePageScanActivity = 0x0C1C
    case writeInquiryScanActivity = 0x0C1E
    case readClass = 0x0C23
    case writeClass = 0x0C24
    case readVoiceSetting = 0x0C25
    case readIACCount = 0x0C38
    case readIAC = 0x0C39
    case writeInquiryScanType = 0x0C43
    case writeInquiryMode = 0x0C45
    case writePageScanType = 0x0C47
    case writeInquiryResponse = 0x0C52
    case writeSimplePairing = 0x0C56
    case setEventMaskPage2 = 0x0C63
    case writeLEHostSupport = 0x0C6D
    case readVersion = 0x1001
    case readCommands = 0x1002
    case readFeatures = 0x1003
    case readExtendedFeatures = 0x1004
    case readBufferSize = 0x1005
    case readAddress = 0x1009
    case leSetEventMask = 0x2001
    case leReadBufferSize = 0x2002
    case leReadFeatures = 0x2003
    case leSetRandomAddress = 0x2005
    case leSetAdvertisingParameters = 0x2006
    case leReadAdvertisingPower = 0x2007
    case leSetAdvertisingData = 0x2008
    case leSetScanResponse = 0x2009
    case leSetAdvertisingEnable = 0x200A
    case leSetScanParameters = 0x200B
    case leSetScanEnable = 0x200C
    case leCreateConnection = 0x200D
    case leCreateConnectionCancel = 0x200E
    case leReadAcceptListSize = 0x200F
    case leClearAcceptList = 0x2010
    case leAddToAcceptList = 0x2011
    case leRemoveFromAcceptList = 0x2012
    case leConnectionUpdate = 0x2013
    case leReadRemoteFeatures = 0x2016
    case leEncrypt = 0x2017
    case leRandom = 0x2018
    case leEnableEncryption = 0x2019
    case leReadStates = 0x201C
    case leSetExtendedScanParameters = 0x2041
    case leSetExtendedScanEnable = 0x2042
    case leExtendedCreateConnection = 0x2043

    /// The octet and the bit of the command among the supported commands (Vol 4 Part E 6.27).
    var place: (octet: Int, bit: Int) {
        switch self {
        case .inquiry: (0, 0)
        case .inquiryCancel: (0, 1)
        case .createConnection: (0, 4)
        case .disconnect: (0, 5)
        case .createConnectionCancel: (0, 7)
        case .acceptConnection: (1, 0)
        case .rejectConnection: (1, 1)
        case .remoteName: (2, 3)
        case .readRemoteFeatures: (2, 5)
        case .readRemoteExtendedFeatures: (2, 6)
        case .readRemoteVersion: (2, 7)
        case .setEventMask: (5, 6)
        case .reset: (5, 7)
        case .writeLocalName: (7, 0)
        case .readLocalName: (7, 1)
        case .writeAcceptTimeout: (7, 3)
        case .writePageTimeout: (7, 5)
        case .writeScanEnable: (7, 7)
        case .writePageScanActivity: (8, 1)
        case .writeInquiryScanActivity: (8, 3)
        case .readClass: (9, 0)
        case .writeClass: (9, 1)
        case .readVoiceSetting: (9, 2)
        case .readIACCount: (11, 2)
        case .readIAC: (11, 3)
        case .writeInquiryScanType: (12, 5)
        case .writeInquiryMode: (12, 7)
        case .writePageScanType: (13, 1)
        case .writeInquiryResponse: (17, 1)
        case .writeSimplePairing: (17, 6)
        case .setEventMaskPage2: (22, 2)
        case .writeLEHostSupport: (24, 6)
        case .readVersion: (14, 3)
        case .readCommands: (14, 4)
        case .readFeatures: (14, 5)
        case .readExtendedFeatures: (14, 6)
        case .readBufferSize: (14, 7)
        case .readAddress: (15, 1)
        case .leSetEventMask: (25, 0)
        case .leReadBufferSize: (25, 1)
        case .leReadFeatures: (25, 2)
        case .leSetRandomAddress: (25, 4)
        case .leSetAdvertisingParameters: (25, 5)
        case .leReadAdvertisingPower: (25, 6)
        case .leSetAdvertisingData: (25, 7)
        case .leSetScanResponse: (26, 0)
        case .leSetAdvertisingEnable: (26, 1)
        case .leSetScanParameters: (26, 2)
        case .leSetScanEnable: (26, 3)
        case .leCreateConnection: (26, 4)
        case .leCreateConnectionCancel: (26, 5)
        case .leReadAcceptListSize: (26, 6)
        case .leClearAcceptList: (26, 7)
        case .leAddToAcceptList: (27, 0)
        case .leRemoveFromAcceptList: (27, 1)
        case .leConnectionUpdate: (27, 2)
        case .leReadRemoteFeatures: (27, 5)
        case .leEncrypt: (27, 6)
        case .leRandom: (27, 7)
        case .leEnableEncryption: (28, 0)
        case .leReadStates: (28, 3)
        case .leSetExtendedScanParameters: (37, 5)
        case .leSetExtendedScanEnable: (37, 6)
        case .leExtendedCreateConnection: (37, 7)
        }
    }

    /// Whether a controller with these settings implements the command.
    func isKnown(to settings: ControllerSettings) -> Bool {
        switch self {
        case .inquiry, .inquiryCancel, .createConnection, .createConnectionCancel,
            .acceptConnection, .rejectConnection, .remoteName, .readRemoteFeatures,
            .readRemoteExtendedFeatures, .writeLocalName, .readLocalName, .writeAcceptTimeout,
            .writePageTimeout, .writeScanEnable, .readClass, .writeClass, .readVoiceSetting,
            .readIACCount, .readIAC, .writePageScanActivity, .writeInquiryScanActivity,
            .writePageScanType, .writeInquiryScanType, .writeInquiryMode, .writeInquiryResponse,
            .writeSimplePairing, .writeLEHostSupport:
            settings.isDual
        case .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            .leExtendedCreateConnection:
            settings.generation == .five
        default: true
        }
    }

    /// Returns the 64 octets in which a controller lists its supported commands.
    static func supported(by settings: ControllerSettings) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        for code in allCases where code.isKnown(to: settings) {
            octets[code.place.octet] |= 1 << UInt8(code.place.bit)
        }
        return octets
    }
}
