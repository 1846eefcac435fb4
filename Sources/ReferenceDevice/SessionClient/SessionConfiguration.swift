import Wire

/// What a session client is configured with; all times are in milliseconds.
public struct SessionConfiguration: DeviceConfiguration, Hashable {
    /// When the waits of a back-off begin anew.
    public enum ResetRule: String, Sendable, Hashable, CaseIterable {
        /// As the document is written: a connection falls more than `resetAfter` after the last
        /// successful reconnection.
        case written
        /// As the example is coded: the session wishes to reconnect more than twice the coming
        /// delay after it wished last.
        case coded
    }

    /// How the client waits before it reconnects.
    public struct Strategy: Sendable, Hashable {
        /// When the waits begin anew.
        public var rule = ResetRule.written
        /// How much longer each wait is than the one before.
        public var increment = 1000
        /// The longest wait.
        public var maximum = 5000
        /// How old a reconnection must be for its fall not to be waited for, by the written rule.
        public var resetAfter = 10_000
    }

    /// Where the parameters of a connection stand.
    public enum Carrier: String, Sendable, Hashable, CaseIterable {
        /// In the query of the request.
        case query
        /// In header fields.
        case headers
    }

    /// How the client waits before it reconnects.
    public var strategy = Strategy()
    /// How long a session that has lost its connection is tried to resume; 0 for not at all.
    public var reconnectionTimeout = 60_000
    /// The time from ping to ping.
    public var pingPeriod = 3000
    /// How long a ping that validates the session is waited for.
    public var pingTimeout = 10_000
    /// How long an attempt to connect may take.
    public var connectionTimeout = 2000
    /// Who the client is; not sent if `nil`.
    public var principal: String?
    /// The principal's password; not sent if `nil`.
    public var password: String?
    /// The path of the request.
    public var path = "/diffusion"
    /// Where the parameters of a connection stand.
    public var carrier = Carrier.query
    /// Whether the application is active when it starts.
    public var isActive = true

    /// Makes the defaults.
    public init() {}
}

extension SessionConfiguration {
    private enum Key: String, CaseIterable {
        case strategy, reconnectionTimeout, pingPeriod, pingTimeout, connectionTimeout
        case principal, password, path, carrier, active
    }

    private enum StrategyKey: String, CaseIterable {
        case rule, increment, maximum, resetAfter
    }

    /// Reads a configuration document: the defaults with its members applied.
    public init(document: Value) throws(ConfigurationError) {
        self.init()
        for (name, node) in try DocumentNode(path: "", value: document).members() {
            try set(try node.known(name, as: Key.self), to: node)
        }
    }

    private mutating func set(_ key: Key, to node: DocumentNode) throws(ConfigurationError) {
        switch key {
        case .strategy: try setStrategy(node)
        case .reconnectionTimeout: reconnectionTimeout = try node.count()
        case .pingPeriod: pingPeriod = try node.positiveCount()
        case .pingTimeout: pingTimeout = try node.positiveCount()
        case .connectionTimeout: connectionTimeout = try node.positiveCount()
        case .principal: principal = node.isNull ? nil : try node.text()
        case .password: password = node.isNull ? nil : try node.text()
        case .path: path = try node.requestPath()
        case .carrier: carrier = try node.word()
        case .active: isActive = try node.flag()
        }
    }

    private mutating func setStrategy(_ node: DocumentNode) throws(ConfigurationError) {
        for (name, member) in try node.members() {
            switch try member.known(name, as: StrategyKey.self) {
            case .rule: strategy.rule = try member.word()
            case .increment: strategy.increment = try member.count()
            case .maximum: strategy.maximum = try member.count()
            case .resetAfter: strategy.resetAfter = try member.count()
            }
        }
    }
}

extension DocumentNode {
    fileprivate func positiveCount() throws(ConfigurationError) -> Int {
        let count = try count()
        guard count > 0 else { throw expected("an integer from 1 to 86400000") }
        return count
    }

    fileprivate func word<Word>() throws(ConfigurationError) -> Word
    where Word: CaseIterable & RawRepresentable<String> {
        guard let word = Word(rawValue: try text()) else {
            throw expected(Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
        }
        return word
    }

    /// A path as a request line can carry it.
    fileprivate func requestPath() throws(ConfigurationError) -> String {
        let path = try text()
        let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") }
        guard path.hasPrefix("/"), isPlain else {
            throw expected("a path that begins with \"/\", without blanks and \"?\"")
        }
        return path
    }
}
