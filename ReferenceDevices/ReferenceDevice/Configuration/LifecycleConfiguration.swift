import Wire

/// The registration data of an app, and the behaviour of the reference device.
///
/// The registration data is that of SDL-0054, `SDLLifecycleConfiguration`. The configuration is
/// written as one JSON document whose keys are the property names; every key is optional.
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
    /// The default language, requested for both languages of a registration.
    public var language = "EN-US"
    /// The languages that the app has names for.
    public var languagesSupported = ["EN-US"]
    /// The highest protocol version that the app supports, as `M.m.p`.
    public var protocolVersion = ProtocolVersion(major: 5, minor: 4, patch: 0)
    /// The app's answer when a head unit uses another language.
    public var delegate = LifecycleDelegate.notImplemented
    /// The content that is shown when the app's level first becomes FULL.
    public var show = Show.appName
    /// Pause before a lost connection is made again, in milliseconds.
    ///
    /// Over accessories, the pause between attempts is used instead.
    public var reconnectDelay = 500
    /// How often a lost connection is made again; `nil` for no limit.
    public var maxReconnects: Int?
    /// The data that the app's developer sets on the screen manager; `nil` for an app without it.
    ///
    /// It is set once the level first leaves NONE.
    public var managers: ManagersData?
    /// The actions of the developer's delegate when it is notified of data to resume.
    ///
    /// `nil` if it does not implement the method.
    public var resumptionDelegate: ResumptionDelegate?
    /// Whether the app unregisters when it is stopped, which makes a head unit forget its data.
    ///
    /// By default an app with `managers` does not.
    public var unregistersOnStop: Bool?

    /// How the app reaches head units.
    public var transport = AppTransport.tcp
    /// How it uses accessories, if it reaches head units over them.
    public var iap = AccessoryUse()

    /// The default configuration.
    public init() {}

    /// The content that is shown when the app's level first becomes FULL.
    public enum Show: Sendable, Hashable {
        /// The configured name of the app as the first main field.
        ///
        /// Nothing is shown if the app has data for the managers.
        case appName
        /// These parameters of a Show request.
        case parameters(Value)
        /// Nothing at all.
        case nothing
    }

    /// The configuration as a document that can be read again with the same result.
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

    /// The pause before a lost connection is made again, in milliseconds.
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
    /// The number on which both sides must agree; 1 to 5.
    public let major: UInt8
    /// The number of additions that both sides may leave unused.
    public let minor: Int
    /// The number of corrections of the specification.
    public let patch: Int
}

extension ProtocolVersion {
    /// Parses the written form.
    ///
    /// Returns `nil` unless it is three numbers of which the first is 1 to 5.
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
