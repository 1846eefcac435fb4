extension IAP2 {
    /// A known control message: its name, its sender, and its parameters.
    public struct ControlMessageKind: Sendable {
        /// The two ends of a link.
        public enum Sender: String, Sendable {
            case accessory
            case device
        }

        /// The number on the wire.
        public let id: UInt16
        /// Its name.
        public let name: String
        /// The end that sends it.
        public let sender: Sender
        /// A description in one sentence.
        let summary: String
        /// Its parameters.
        let parameters: [ParameterKind]
    }

    /// A known parameter.
    struct ParameterKind: Sendable {
        /// The form of its data.
        indirect enum Form: Sendable {
            /// A number, most significant byte first.
            case number
            case text
            case bytes
            /// No data: the presence of the parameter is its value.
            case flag
            /// Numbers of two bytes each.
            case numbers
            /// Texts, one after the other or each in a separate parameter.
            case texts
            /// Groups, one after the other or each in a separate parameter.
            case groups([ParameterKind])
        }

        let id: UInt16
        let name: String
        let form: Form
    }
}

extension IAP2.ControlMessageKind {
    /// Finds the message with the given number; `nil` if it is unknown.
    public init?(id: UInt16) {
        guard let kind = Self.byID[id] else { return nil }
        self = kind
    }

    private static let byID = Dictionary(
        all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// All known messages.
    public static let all: [IAP2.ControlMessageKind] = authentication + identification + sessions

    private static let authentication: [IAP2.ControlMessageKind] = [
        kind(
            0xAA00, "RequestAuthenticationCertificate", .device,
            "Asks for the accessory's certificate."),
        kind(
            0xAA01, "AuthenticationCertificate", .accessory, "The accessory's certificate.",
            [.init(id: 0, name: "certificate", form: .bytes)]),
        kind(
            0xAA02, "RequestAuthenticationChallengeResponse", .device,
            "A challenge that the accessory's chip must sign.",
            [.init(id: 0, name: "challenge", form: .bytes)]),
        kind(
            0xAA03, "AuthenticationResponse", .accessory, "The signed challenge.",
            [.init(id: 0, name: "response", form: .bytes)]),
        kind(0xAA04, "AuthenticationFailed", .device, "The accessory is not authentic."),
        kind(0xAA05, "AuthenticationSucceeded", .device, "The accessory is authentic."),
    ]

    private static let identification: [IAP2.ControlMessageKind] = [
        kind(0x1D00, "StartIdentification", .device, "Asks what the accessory is."),
        kind(
            0x1D01, "IdentificationInformation", .accessory, "What the accessory is and offers.",
            identificationParameters),
        kind(
            0x1D02, "IdentificationAccepted", .device,
            "The device accepts the identification."),
        kind(
            0x1D03, "IdentificationRejected", .device,
            "The device rejects the identification because of the listed parameters.",
            identificationParameters.map { .init(id: $0.id, name: $0.name, form: .flag) }),
    ]

    private static let sessions: [IAP2.ControlMessageKind] = [
        kind(
            0xEA00, "StartExternalAccessoryProtocolSession", .device,
            "An app opens a session under a declared protocol.",
            [
                .init(id: 0, name: "protocolIdentifier", form: .number),
                .init(id: 1, name: "sessionIdentifier", form: .number),
            ]),
        kind(
            0xEA01, "StopExternalAccessoryProtocolSession", .device, "A session ends.",
            [.init(id: 0, name: "sessionIdentifier", form: .number)]),
        kind(
            0xEA02, "RequestAppLaunch", .accessory, "Asks the device to launch an app.",
            [
                .init(id: 0, name: "bundleIdentifier", form: .text),
                .init(id: 1, name: "launchMethod", form: .number),
            ]),
        kind(
            0xEA03, "StatusExternalAccessoryProtocolSession", .accessory,
            "The accessory's status of a session: 0 good, 1 closed.",
            [
                .init(id: 0, name: "sessionIdentifier", form: .number),
                .init(id: 1, name: "status", form: .number),
            ]),
    ]

    private static let identificationParameters: [IAP2.ParameterKind] = [
        .init(id: 0, name: "name", form: .text), .init(id: 1, name: "modelIdentifier", form: .text),
        .init(id: 2, name: "manufacturer", form: .text),
        .init(id: 3, name: "serialNumber", form: .text),
        .init(id: 4, name: "firmwareVersion", form: .text),
        .init(id: 5, name: "hardwareVersion", form: .text),
        .init(id: 6, name: "messagesSentByAccessory", form: .numbers),
        .init(id: 7, name: "messagesReceivedFromDevice", form: .numbers),
        .init(id: 8, name: "powerProvidingCapability", form: .number),
        .init(id: 9, name: "maximumCurrentDrawnFromDevice", form: .number),
        .init(
            id: 10, name: "supportedExternalAccessoryProtocol",
            form: .groups([
                .init(id: 0, name: "protocolIdentifier", form: .number),
                .init(id: 1, name: "protocolName", form: .text),
                .init(id: 2, name: "matchAction", form: .number),
                .init(id: 3, name: "nativeTransportComponentIdentifier", form: .number),
            ])),
        .init(id: 11, name: "appMatchTeamID", form: .text),
        .init(id: 12, name: "currentLanguage", form: .text),
        .init(id: 13, name: "supportedLanguage", form: .texts),
    ]

    private static func kind(
        _ id: UInt16, _ name: String, _ sender: Sender, _ summary: String,
        _ parameters: [IAP2.ParameterKind] = []
    ) -> IAP2.ControlMessageKind {
        IAP2.ControlMessageKind(
            id: id, name: name, sender: sender, summary: summary, parameters: parameters)
    }
}
