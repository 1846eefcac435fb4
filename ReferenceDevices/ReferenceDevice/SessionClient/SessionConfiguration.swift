import Wire

/// The configuration of a session client; all times are in milliseconds.
public struct SessionConfiguration: DeviceConfiguration, Hashable {
    /// The rule for resetting the waits of a back-off.
    public enum ResetRule: String, Sendable, Hashable, CaseIterable {
        /// As the document is written, by the age of the last reconnection.
        ///
        /// A connection is lost more than `resetAfter` after the last successful reconnection.
        case written
        /// As the example is coded, by the time between requests to reconnect.
        ///
        /// The session requests to reconnect more than twice the coming delay after its last
        /// request.
        case coded
    }

    /// The waits of the client before it reconnects.
    public struct Strategy: Sendable, Hashable {
        /// When the waits are reset.
        public var rule = ResetRule.written
        /// The difference between each wait and the one before.
        public var increment = 1000
        /// The longest wait.
        public var maximum = 5000
        /// The age of a reconnection from which its loss resets the waits, by the written rule.
        public var resetAfter = 10_000
    }

    /// The place of a connection's parameters.
    public enum Carrier: String, Sendable, Hashable, CaseIterable {
        /// In the query of the request.
        case query
        /// In header fields.
        case headers
    }

    /// The waits of the client before it reconnects.
    public var strategy = Strategy()
    /// How long the client tries to resume a session without a connection; 0 for not at all.
    public var reconnectionTimeout = 60_000
    /// The period of the pings.
    public var pingPeriod = 3000
    /// The timeout of a ping that validates the session.
    public var pingTimeout = 10_000
    /// The timeout of an attempt to connect.
    public var connectionTimeout = 2000
    /// The principal of the client; not sent if `nil`.
    public var principal: String?
    /// The principal's password; not sent if `nil`.
    public var password: String?
    /// The path of the request.
    public var path = "/diffusion"
    /// The place of a connection's parameters.
    public var carrier = Carrier.query
    /// Whether the application is active when it starts.
    public var isActive = true

    /// Creates the defaults.
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

    /// Returns a path that is valid in a request line.
    fileprivate func requestPath() throws(ConfigurationError) -> String {
        let path = try text()
        let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") }
        guard path.hasPrefix("/"), isPlain else {
            throw expected("a path that begins with \"/\", without blanks and \"?\"")
        }
        return path
    }
}
