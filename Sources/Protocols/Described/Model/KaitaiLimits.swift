/// Limits for descriptions and for the cost of reading.
public struct KaitaiLimits: Sendable {
    /// The nesting depth of objects; public descriptions stay below 20.
    public var depth = 64
    /// The depth of expressions that depend on one another; a computed field counts as eight.
    public var evaluationDepth = 600
    /// The number of objects that one reading creates, including those of computed fields.
    public var objects = 1 << 18
    /// The number of elements in all arrays of one reading.
    public var elements = 1 << 20
    /// The number of bytes that one reading takes from streams; bytes read again count again.
    public var bytesRead = 256 << 20
    /// The number of bytes that decompression and decoding produce in one reading.
    public var bytesProduced = 64 << 20
    /// The number of evaluation steps; 10 million take some seconds.
    public var steps = 10_000_000

    /// Creates the default limits.
    public init() {}

    /// The nesting depth of operators and brackets in an expression.
    static let expressionDepth = 64
    /// The number of tokens in an expression; a chain of operators nests as deep as it is long.
    static let expressionTokens = 1_000
    /// The length of an expression in bytes of UTF-8.
    static let expressionLength = 10_000
    /// The number of files in a description.
    static let files = 200
    /// The number of types in all files together.
    static let types = 10_000
}
