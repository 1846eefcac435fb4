import PeerKit
import SDL
import Wire

/// The parameters of the notifications that a head unit sends.
enum NotificationParameters {
    /// Returns the default parameters of a notification with a name.
    ///
    /// - Parameters:
    ///   - app: The app of the session, if one is registered.
    ///   - memory: The head unit's data of the app.
    ///   - level: The level in an OnHMIStatus; the streaming states follow from it.
    ///   - hashID: The hash for an OnHashChange.
    static func plain(
        _ function: String, app: RegisteredApp?, memory: AppMemory, level: String,
        settings: HeadUnitSettings, hashID: String
    ) -> Value {
        switch function {
        case "OnHMIStatus":
            (app ?? RegisteredApp(.object([]), key: .init(appID: "", vehicle: ""))).status(level)
        case "OnPermissionsChange":
            permissions
        case "OnHashChange":
            ["hashID": .string(hashID)]
        case "OnLanguageChange":
            [
                "language": .string(settings.language),
                "hmiDisplayLanguage": .string(settings.hmiDisplayLanguage),
            ]
        case "OnAppInterfaceUnregistered":
            ["reason": "IGNITION_OFF"]
        case "OnCommand":
            ["cmdID": .integer(memory.firstCommand ?? 0), "triggerSource": "MENU"]
        case "OnButtonPress" where memory.firstSoftButton != nil:
            [
                "buttonName": "CUSTOM_BUTTON", "buttonPressMode": "SHORT",
                "customButtonID": .integer(memory.firstSoftButton ?? 0),
            ]
        case "OnDriverDistraction":
            ["state": "DD_OFF"]
        case "OnSystemRequest":
            ["requestType": "PROPRIETARY"]
        default:
            DefaultParameters.mandatory(of: "sdl.\(function).notification")
        }
    }

    /// The parameters of OnPermissionsChange: everything is allowed at every level.
    ///
    /// The reason is that the head unit answers everything at every level.
    static let permissions: Value = [
        "permissionItem": .array(
            functions.map { function in
                [
                    "rpcName": .string(function),
                    "hmiPermissions": [
                        "allowed": ["FULL", "LIMITED", "BACKGROUND", "NONE"], "userDisallowed": [],
                    ],
                    "parameterPermissions": ["allowed": [], "userDisallowed": []],
                ]
            })
    ]

    /// Functions that an app may request or be notified of, in the order of their ids.
    private static let functions: [String] = SDL.description.messages.compactMap { message in
        let parts = message.name.split(separator: ".")
        guard parts.count == 3, ["request", "notification"].contains(parts[2]),
            parts[1] != SDL.RPC.unknownFunction
        else { return nil }
        return String(parts[1])
    }

    /// Returns the `number`-th hash for OnHashChange, in a form.
    static func hash(_ number: Int, _ form: HeadUnitSettings.HashForm = .letters) -> String {
        switch form {
        case .letters: return letters(number)
        case .digits: return "00\(1_000_003 &* number)"
        case .short: return String(number, radix: 36)
        case .longest:
            let piece = letters(number)
            return String(String(repeating: piece, count: hashLength / 32 + 1).prefix(hashLength))
        case .unicode: return "天気 é \(number)"
        }
    }

    /// The length of the longest hash, in characters.
    private static let hashLength: Int = {
        let type = PeerKind.parameter("hashID", of: "sdl.OnHashChange.notification")
        if case .string(let length?) = type { return length }
        return 100
    }()

    /// Returns 32 letters and digits without a meaning.
    private static func letters(_ number: Int) -> String {
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        var random = SplitMix64(
            state: UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
        return String(
            (0..<32).map { _ in letters[Int(random.next() % UInt64(letters.count))] })
    }
}

/// The requests that change the data that a head unit keeps for a resumption, as in sdl_core.
enum ResumableState {
    /// Whether an accepted request is followed by a new hash.
    static func isChanged(by function: String, _ parameters: Value) -> Bool {
        subscribing.contains(function)
            ? parameters["subscribe"]?.boolValue != nil : changing.contains(function)
    }

    private static let subscribing: Set<String> = ["GetInteriorVehicleData", "GetAppServiceData"]

    private static let changing: Set<String> = [
        "AddCommand", "DeleteCommand", "AddSubMenu", "DeleteSubMenu", "CreateInteractionChoiceSet",
        "DeleteInteractionChoiceSet", "SetGlobalProperties", "ResetGlobalProperties",
        "SubscribeButton", "UnsubscribeButton", "SubscribeVehicleData", "UnsubscribeVehicleData",
        "SubscribeWayPoints", "UnsubscribeWayPoints", "CreateWindow", "DeleteWindow",
    ]
}
