import Wire

/// A configuration document that cannot be used: the key, and what is wrong with it.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the key; empty for the document itself.
    ///
    /// An example is `delegate.willUpdateLifecycle.DE-DE.appNames`.
    public let key: String
    /// What is wrong with it, as a phrase.
    public let problem: String

    /// `configuration key K: problem`.
    public var description: String {
        key.isEmpty ? "configuration: \(problem)" : "configuration key \"\(key)\": \(problem)"
    }
}

extension LifecycleConfiguration {
    /// The keys of a configuration document, in the order in which they are written.
    enum Key: String, CaseIterable {
        case appName, appID, fullAppID, shortAppName, ttsName, voiceRecognitionCommandNames
        case isMediaApplication, language, languagesSupported, protocolVersion, delegate, show
        case reconnectDelay, maxReconnects, managers, unregistersOnStop, transport, iap
    }

    /// Reads a configuration document: the defaults with its members applied.
    public init(document: Value) throws(ConfigurationError) {
        self.init()
        try merge(document)
    }

    /// Applies the members of a document; changes nothing if any of them is wrong.
    public mutating func merge(_ document: Value) throws(ConfigurationError) {
        var merged = self
        for (name, node) in try DocumentNode(path: "", value: document).members() {
            let key = try node.known(name, as: Key.self)
            try merged.set(key, to: node)
        }
        self = merged
    }

    private mutating func set(_ key: Key, to node: DocumentNode) throws(ConfigurationError) {
        switch key {
        case .appName: appName = try node.text()
        case .appID: appID = try node.text()
        case .fullAppID: fullAppID = node.isNull ? nil : try node.text()
        case .shortAppName: shortAppName = node.isNull ? nil : try node.text()
        case .ttsName: ttsName = node.isNull ? nil : try node.chunks()
        case .voiceRecognitionCommandNames:
            voiceRecognitionCommandNames = node.isNull ? nil : try node.texts()
        case .isMediaApplication: isMediaApplication = try node.flag()
        case .language: language = try node.text()
        case .languagesSupported: languagesSupported = try node.texts()
        case .protocolVersion:
            guard let version = ProtocolVersion(try node.text()) else {
                throw node.expected("a version \"M.m.p\" with a major number from 1 to 5")
            }
            protocolVersion = version
        case .delegate: (delegate, resumptionDelegate) = try node.delegates()
        case .show:
            if !node.isNull { _ = try node.members() }
            show = node.isNull ? .nothing : .parameters(node.value)
        case .reconnectDelay: reconnectDelay = try node.count()
        case .maxReconnects: maxReconnects = node.isNull ? nil : try node.count()
        case .managers: managers = node.isNull ? nil : try node.managersData(.configuration)
        case .unregistersOnStop: unregistersOnStop = node.isNull ? nil : try node.flag()
        case .transport: transport = try node.transport()
        case .iap: iap = try node.accessorySettings(iap)
        }
    }
}

extension DocumentNode {
    private enum ChunkKey: String, CaseIterable {
        case text, type
    }

    func chunks() throws(ConfigurationError) -> [TTSChunk] {
        var chunks: [TTSChunk] = []
        for element in try elements() {
            var chunk = TTSChunk(text: "")
            for (name, node) in try element.members() {
                switch try node.known(name, as: ChunkKey.self) {
                case .text: chunk.text = try node.text()
                case .type: chunk.type = try node.text()
                }
            }
            chunks.append(chunk)
        }
        return chunks
    }

    private enum DelegateKey: String, CaseIterable {
        case willUpdateLifecycle, dataDidResume
    }

    func delegates() throws(ConfigurationError) -> (LifecycleDelegate, ResumptionDelegate?) {
        if isNull { return (.notImplemented, nil) }
        var language = LifecycleDelegate.notImplemented
        var resumption: ResumptionDelegate?
        for (name, node) in try members() {
            switch try node.known(name, as: DelegateKey.self) {
            case .willUpdateLifecycle: language = try node.updates()
            case .dataDidResume: resumption = try node.resumptionDelegate()
            }
        }
        return (language, resumption)
    }

    private func updates() throws(ConfigurationError) -> LifecycleDelegate {
        if value == "absent" { return .notImplemented }
        if isNull { return .implemented([:]) }
        guard value.objectValue != nil else {
            throw expected("\"absent\", null, or an object from language to update")
        }
        var updates: [String: LifecycleUpdate] = [:]
        for (language, node) in try members() {
            updates[language] = node.isNull ? nil : try node.update()
        }
        return .implemented(updates)
    }

    private enum UpdateKey: String, CaseIterable {
        case appName, shortAppName, ttsName, voiceRecognitionCommandNames
    }

    private func update() throws(ConfigurationError) -> LifecycleUpdate {
        var update = LifecycleUpdate()
        for (name, node) in try members() {
            let key = try node.known(name, as: UpdateKey.self)
            guard !node.isNull else { continue }
            switch key {
            case .appName: update.appName = try node.text()
            case .shortAppName: update.shortAppName = try node.text()
            case .ttsName: update.ttsName = try node.chunks()
            case .voiceRecognitionCommandNames:
                update.voiceRecognitionCommandNames = try node.texts()
            }
        }
        return update
    }
}
