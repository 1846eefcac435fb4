import Wire

/// Everything that an app tells of itself when it registers (SDL-0054, `SDLLifecycleConfiguration`),
/// and how the reference device behaves around it.
///
/// Written as one JSON document whose keys are the property names; every key is optional.
public struct LifecycleConfiguration: DeviceConfiguration, Hashable {
    /// The app's name.
    public var appName = "Conform Reference"
    /// The app's identifier.
    public var appID = "c0f02e5"
    /// The long form of the identifier; not sent if `nil`.
    public var fullAppID: String?
    /// The name for small displays, sent as `ngnMediaScreenAppName`; not sent if `nil`.
    public var shortAppName: String?
    /// The spoken name; not sent if `nil`.
    public var ttsName: [TTSChunk]?
    /// The words that select the app by voice, sent as `vrSynonyms`; not sent if `nil`.
    public var voiceRecognitionCommandNames: [String]?
    /// Whether the app plays media.
    public var isMediaApplication = false
    /// The default language, asked for in both languages of a registration.
    public var language = "EN-US"
    /// The languages that the app has names for.
    public var languagesSupported = ["EN-US"]
    /// The highest protocol version that the app speaks, as `M.m.p`.
    public var protocolVersion = ProtocolVersion(major: 5, minor: 4, patch: 0)
    /// What the app answers when a head unit speaks another language.
    public var delegate = LifecycleDelegate.notImplemented
    /// What the app shows when its level first becomes FULL.
    public var show = Show.appName
    /// Pause before a lost connection is made again, in milliseconds; by accessories it is the
    /// pause between attempts instead.
    public var reconnectDelay = 500
    /// How often a lost connection is made again; without limit if `nil`.
    public var maxReconnects: Int?
    /// What the app's developer sets on the screen manager once the level first leaves NONE; `nil`
    /// for an app without such data.
    public var managers: ManagersData?
    /// What the developer's delegate does when it is told that data waits; `nil` if it does not
    /// implement the method.
    public var resumptionDelegate: ResumptionDelegate?
    /// Whether the app unregisters when it is stopped, which makes a head unit forget what it
    /// keeps; by default an app with `managers` does not.
    public var unregistersOnStop: Bool?

    /// How the app reaches head units.
    public var transport = AppTransport.tcp
    /// How it uses accessories, if it reaches head units by them.
    public var iap = AccessoryUse()

    /// The default configuration.
    public init() {}

    /// What is shown when the app's level first becomes FULL.
    public enum Show: Sendable, Hashable {
        /// The configured name of the app as the first main field; nothing if the app has data for
        /// the managers.
        case appName
        /// These parameters of a Show request.
        case parameters(Value)
        /// Nothing at all.
        case nothing
    }

    /// The configuration as a document that reads back the same.
    public var value: Value {
        .object(Key.allCases.map { Value.Member($0.rawValue, value(of: $0)) })
    }

    private func value(of key: Key) -> Value {
        switch key {
        case .appName: .string(appName)
        case .appID: .string(appID)
        case .fullAppID: .text(fullAppID)
        case .shortAppName: .text(shortAppName)
        case .ttsName: .list(ttsName?.map(\.value))
        case .voiceRecognitionCommandNames:
            .list(voiceRecognitionCommandNames?.map(Value.string))
        case .isMediaApplication: .bool(isMediaApplication)
        case .language: .string(language)
        case .languagesSupported: .array(languagesSupported.map(Value.string))
        case .protocolVersion: .string(protocolVersion.description)
        case .delegate: delegateValue
        case .show: showParameters ?? .null
        case .reconnectDelay: .integer(Int64(reconnectDelay))
        case .maxReconnects: maxReconnects.map { .integer(Int64($0)) } ?? .null
        case .managers: managers?.value(.configuration) ?? .null
        case .unregistersOnStop: unregistersOnStop.map(Value.bool) ?? .null
        case .transport: .string(transport.rawValue)
        case .iap: iap.value
        }
    }

    private var delegateValue: Value {
        guard let resumptionDelegate else { return delegate.value }
        return .object(
            (delegate.value.objectValue ?? [])
                + [Value.Member("dataDidResume", resumptionDelegate.value)])
    }

    /// How long a lost connection is waited with, in milliseconds.
    var pauseBeforeReconnect: Int {
        switch transport {
        case .tcp: reconnectDelay
        case .iap: ConnectionRules.retryPause
        }
    }

    /// Whether stopping begins with UnregisterAppInterface.
    var unregisters: Bool { unregistersOnStop ?? (managers == nil) }

    /// The parameters of the Show request; `nil` if none is sent.
    var showParameters: Value? {
        switch show {
        case .appName: managers == nil ? ["mainField1": .string(appName)] : nil
        case .parameters(let parameters): parameters
        case .nothing: nil
        }
    }
}

/// A version of the SDL protocol, written `M.m.p`.
public struct ProtocolVersion: Sendable, Hashable, CustomStringConvertible {
    /// What both sides must agree on; 1 to 5.
    public let major: UInt8
    /// Additions that both sides may leave unused.
    public let minor: Int
    /// Corrections of the specification.
    public let patch: Int

    /// Makes a version from its three numbers.
    public init(major: UInt8, minor: Int, patch: Int) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Parses the written form; `nil` if it is not three numbers of which the first is 1 to 5.
    public init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1],
            let patch = numbers[2], (1...5).contains(major), minor >= 0, patch >= 0
        else { return nil }
        self.init(major: UInt8(major), minor: minor, patch: patch)
    }

    /// The written form.
    public var description: String { "\(major).\(minor).\(patch)" }
}
