import Bluetooth

/// The commands that the controller implements.
enum SupportedCommands {
    /// The commands by their octets and bits (Core 5.4 Vol 4 Part E 6.27).
    static let places: [Int: [UInt8: HCIOpcode]] = [
        0: [
            0: .inquiry, 1: .inquiryCancel, 4: .createConnection, 5: .disconnect,
            7: .createConnectionCancel,
        ],
        1: [0: .acceptConnectionRequest, 1: .rejectConnectionRequest],
        2: [
            3: .remoteNameRequest, 5: .readRemoteSupportedFeatures,
            6: .readRemoteExtendedFeatures, 7: .readRemoteVersionInformation,
        ],
        5: [6: .setEventMask, 7: .reset],
        7: [
            0: .writeLocalName, 1: .readLocalName, 3: .writeConnectionAcceptTimeout,
            5: .writePageTimeout, 7: .writeScanEnable,
        ],
        8: [1: .writePageScanActivity, 3: .writeInquiryScanActivity],
        9: [0: .readClassOfDevice, 1: .writeClassOfDevice, 2: .readVoiceSetting],
        11: [2: .readNumberOfSupportedIAC, 3: .readCurrentIACLAP],
        12: [5: .writeInquiryScanType, 7: .writeInquiryMode],
        13: [1: .writePageScanType],
        14: [
            3: .readLocalVersionInformation, 4: .readLocalSupportedCommands,
            5: .readLocalSupportedFeatures, 6: .readLocalExtendedFeatures, 7: .readBufferSize,
        ],
        15: [1: .readBDADDR],
        17: [1: .writeExtendedInquiryResponse, 6: .writeSimplePairingMode],
        22: [2: .setEventMaskPage2],
        24: [6: .writeLEHostSupport],
        25: [
            0: .leSetEventMask, 1: .leReadBufferSize, 2: .leReadLocalSupportedFeatures,
            4: .leSetRandomAddress, 5: .leSetAdvertisingParameters,
            6: .leReadAdvertisingPhysicalChannelTxPower, 7: .leSetAdvertisingData,
        ],
        26: [
            0: .leSetScanResponseData, 1: .leSetAdvertisingEnable, 2: .leSetScanParameters,
            3: .leSetScanEnable, 4: .leCreateConnection, 5: .leCreateConnectionCancel,
            6: .leReadFilterAcceptListSize, 7: .leClearFilterAcceptList,
        ],
        27: [
            0: .leAddDeviceToFilterAcceptList, 1: .leRemoveDeviceFromFilterAcceptList,
            2: .leConnectionUpdate, 5: .leReadRemoteFeatures, 6: .leEncrypt, 7: .leRand,
        ],
        28: [0: .leEnableEncryption, 3: .leReadSupportedStates],
        37: [
            5: .leSetExtendedScanParameters, 6: .leSetExtendedScanEnable,
            7: .leExtendedCreateConnection,
        ],
    ]

    private static let all = Set(places.values.flatMap(\.values))

    /// Whether a controller with these settings implements a command.
    static func contains(_ opcode: HCIOpcode, with settings: ControllerSettings) -> Bool {
        guard all.contains(opcode) else { return false }
        switch opcode {
        case .disconnect, .readRemoteVersionInformation, .setEventMask, .reset,
            .setEventMaskPage2:
            return true
        case .leSetExtendedScanParameters, .leSetExtendedScanEnable,
            .leExtendedCreateConnection:
            return settings.generation == .five
        default: return settings.isDual || ![1, 3].contains(opcode.group)
        }
    }

    /// Returns the 64 octets in which a controller lists its supported commands.
    static func octets(with settings: ControllerSettings) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 64)
        for (octet, bits) in places {
            for (bit, opcode) in bits where contains(opcode, with: settings) {
                octets[octet] |= 1 << bit
            }
        }
        return octets
    }
}
