/// Bounds on descriptions and on what they may do with bytes.
public struct KaitaiLimits: Sendable {
    /// Objects inside one another; public descriptions stay below 20.
    public var depth = 64
    /// Parts of expressions that need one another; a computed field counts as eight of them.
    public var evaluationDepth = 600
    /// Objects that one reading makes, with those of computed fields.
    public var objects = 1 << 18
    /// Elements of all arrays of one reading.
    public var elements = 1 << 20
    /// Bytes that one reading takes out of streams, bytes that are read again counted again.
    public var bytesRead = 256 << 20
    /// Bytes that decompression and decoding produce in one reading.
    public var bytesProduced = 64 << 20
    /// Steps of evaluation; 10 million take some seconds.
    public var steps = 10_000_000

    /// The limits that apply unless others are given.
    public init() {}

    /// Operators and brackets inside one another in an expression.
    static let expressionDepth = 64
    /// Numbers, names and signs of an expression; a chain of them is as deep as it is long.
    static let expressionTokens = 1_000
    /// Characters of an expression.
    static let expressionLength = 10_000
    /// Files that a description consists of.
    static let files = 200
    /// Types of all files together.
    static let types = 10_000
}
