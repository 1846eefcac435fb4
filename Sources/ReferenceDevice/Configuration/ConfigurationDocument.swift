import Protocols

/// A configuration document that cannot be used: which key, and what is wrong with it.
public struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the key, such as `delegate.willUpdateLifecycle.DE-DE.appNames`; empty for the
    /// document itself.
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
        case reconnectDelay, maxReconnects
    }

    /// Reads a configuration document: the defaults with its members applied.
    public init(document: Value) throws(ConfigurationError) {
        self.init()
        try merge(document)
    }

    /// Applies the members of a document; nothing is changed if any of them is wrong.
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
        case .delegate: delegate = try node.delegate()
        case .show:
            if !node.isNull { _ = try node.members() }
            show = node.isNull ? .nothing : .parameters(node.value)
        case .reconnectDelay: reconnectDelay = try node.count()
        case .maxReconnects: maxReconnects = node.isNull ? nil : try node.count()
        }
    }
}

/// A value of the document and the path that leads to it.
private struct DocumentNode {
    let path: String
    let value: Value

    var isNull: Bool { value == .null }

    func expected(_ what: String) -> ConfigurationError {
        ConfigurationError(key: path, problem: "expected \(what), found \(value.jsonText())")
    }

    /// The key of that name; throws an error that names all keys if there is none.
    func known<Key>(_ name: String, as keys: Key.Type) throws(ConfigurationError) -> Key
    where Key: CaseIterable & RawRepresentable<String> {
        if let key = Key(rawValue: name) { return key }
        let names = Key.allCases.map(\.rawValue).joined(separator: ", ")
        throw ConfigurationError(key: path, problem: "unknown; the keys are \(names)")
    }

    /// The members of an object, each once.
    func members() throws(ConfigurationError) -> [(String, DocumentNode)] {
        guard let members = value.objectValue else { throw expected("an object") }
        var nodes: [(String, DocumentNode)] = []
        for member in members {
            let memberPath = path.isEmpty ? member.name : "\(path).\(member.name)"
            guard !nodes.contains(where: { $0.0 == member.name }) else {
                throw ConfigurationError(key: memberPath, problem: "stands twice")
            }
            nodes.append((member.name, DocumentNode(path: memberPath, value: member.value)))
        }
        return nodes
    }

    private func elements() throws(ConfigurationError) -> [DocumentNode] {
        guard let elements = value.arrayValue else { throw expected("an array") }
        return elements.enumerated().map {
            DocumentNode(path: "\(path)[\($0.offset)]", value: $0.element)
        }
    }

    func text() throws(ConfigurationError) -> String {
        guard let text = value.stringValue else { throw expected("a string") }
        return text
    }

    func texts() throws(ConfigurationError) -> [String] {
        var texts: [String] = []
        for element in try elements() { texts.append(try element.text()) }
        return texts
    }

    func flag() throws(ConfigurationError) -> Bool {
        guard let flag = value.boolValue else { throw expected("true or false") }
        return flag
    }

    func count() throws(ConfigurationError) -> Int {
        guard let number = value.integerValue, (0...86_400_000).contains(number) else {
            throw expected("an integer from 0 to 86400000")
        }
        return Int(number)
    }

    private enum ChunkKey: String, CaseIterable {
        case text, type
    }

    func chunks() throws(ConfigurationError) -> [TTSChunk] {
        var chunks: [TTSChunk] = []
        for element in try elements() {
            var chunk = TTSChunk("")
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
        case willUpdateLifecycle
    }

    func delegate() throws(ConfigurationError) -> LifecycleDelegate {
        if isNull { return .notImplemented }
        var delegate = LifecycleDelegate.notImplemented
        for (name, node) in try members() {
            _ = try node.known(name, as: DelegateKey.self)
            delegate = try node.updates()
        }
        return delegate
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
