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

    /// The bits of the supported commands, by octet (Vol 4 Part E 6.27).
    static let places: [Int: [UInt8: CommandCode]] = [
        0: [
            0: .inquiry, 1: .inquiryCancel, 4: .createConnection, 5: .disconnect,
            7: .createConnectionCancel,
        ],
        1: [0: .acceptConnection, 1: .rejectConnection],
        2: [
            3: .remoteName, 5: .readRemoteFeatures, 6: .readRemoteExtendedFeatures,
            7: .readRemoteVersion,
        ],
        5: [6: .setEventMask, 7: .reset],
        7: [
            0: .writeLocalName, 1: .readLocalName, 3: .writeAcceptTimeout, 5: .writePageTimeout,
            7: .writeScanEnable,
        ],
        8: [1: .writePageScanActivity, 3: .writeInquiryScanActivity],
        9: [0: .readClass, 1: .writeClass, 2: .readVoiceSetting],
        11: [2: .readIACCount, 3: .readIAC],
        12: [5: .writeInquiryScanType, 7: .writeInquiryMode],
        13: [1: .writePageScanType],
        14: [
            3: .readVersion, 4: .readCommands, 5: .readFeatures, 6: .readExtendedFeatures,
            7: .readBufferSize,
        ],
        15: [1: .readAddress],
        17: [1: .writeInquiryResponse, 6: .writeSimplePairing],
        22: [2: .setEventMaskPage2],
        24: [6: .writeLEHostSupport],
        25: [
            0: .leSetEventMask, 1: .leReadBufferSize, 2: .leReadFeatures, 4: .leSetRandomAddress,
            5: .leSetAdvertisingParameters, 6: .leReadAdvertisingPower, 7: .leSetAdvertisingData,
        ],
        26: [
            0: .leSetScanResponse, 1: .leSetAdvertisingEnable, 2: .leSetScanParameters,
            3: .leSetScanEnable, 4: .leCreateConnection, 5: .leCreateConnectionCancel,
            6: .leReadAcceptListSize, 7: .leClearAcceptList,
        ],
        27: [
            0: .leAddToAcceptList, 1: .leRemoveFromAcceptList, 2: .leConnectionUpdate,
            5: .leReadRemoteFeatures, 6: .leEncrypt, 7: .leRandom,
        ],
        28: [0: .leEnableEncryption, 3: .leReadStates],
        37: [
            5: .leSetExtendedScanParameters, 6: .leSetExtendedScanEnable,
            7: .leExtendedCreateConnection,
        ],
    ]

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
        for (octet, bits) in places {
            for (bit, code) in bits where code.isKnown(to: settings) { octets[octet] |= 1 << bit }
        }
        return octets
    }
}
