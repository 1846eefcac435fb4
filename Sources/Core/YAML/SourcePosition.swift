/// A position in a YAML file.
public struct SourcePosition: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The file, as the user named it.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The column in characters, counted from 1.
    public var column: Int

    /// Creates a position.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The text `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }

    /// Compares by file, then line, then column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}
