import Glibc
import System

/// Reads text files; this is the only place in this module that opens a file.
package enum SourceFile {
    /// Returns the text of a UTF-8 file of at most `YAMLLimits.fileBytes`, without a byte order
    /// mark.
    package static func text(path: String) throws(InvalidInput) -> String {
        var bytes = try contents(path: path, limit: YAMLLimits.fileBytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let place = bytes.withUnsafeBufferPointer {
                TextPlace(byteOffset: TextPlace.firstInvalidByte(in: $0), in: $0)
            }
            throw InvalidInput([
                Diagnostic(
                    "yaml-encoding", "this is not UTF-8", at: place.position(in: path),
                    advice: "save the file as UTF-8")
            ])
        }
        return text
    }

    /// Returns the bytes of a file of at most `limit`.
    package static func contents(path: String, limit: Int) throws(InvalidInput) -> [UInt8] {
        do throws(FileError) {
            return try NamedInput(path).contents(limit: limit)
        } catch {
            let why =
                switch error.code {
                case ENOENT: "there is no such file\(neighbour(of: path))"
                case EACCES: "permission denied"
                case EFBIG: "it is larger than \(limit) bytes"
                default: error.cause
                }
            throw InvalidInput([
                Diagnostic(
                    "unreadable-file", "cannot read \"\(path)\": \(why)", at: nil,
                    advice: error.code == EACCES ? "allow this user to read it" : "")
            ])
        }
    }

    /// Names the file that is meant, if there is one: with the other of the two usual endings, or
    /// with a similar name in the same folder.
    private static func neighbour(of path: String) -> String {
        for (ending, other) in [(".yml", ".yaml"), (".yaml", ".yml")] where path.hasSuffix(ending) {
            let meant = String(path.dropLast(ending.count)) + other
            if FilePath.isRegularFile(meant) { return ", but there is \(meant)" }
        }
        return Suggestion.neighbour(of: path).map { "; did you mean \"\($0)\"?" } ?? ""
    }
}

extension Suggestion {
    /// Returns the path with the most similar name in the same folder, if one is similar enough.
    public static func neighbour(of path: String) -> String? {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let parent = String(path[..<start])
        let names = (try? HeldFolder(parent.isEmpty ? "." : parent))?.names.sorted() ?? []
        return closest(to: String(path[start...]), in: names).map { parent + $0 }
    }
}

/// A position in a text, found from a byte offset.
package struct TextPlace {
    /// The line, counted from 1.
    package let line: Int
    /// The column, counted from 1 in characters (Unicode scalars).
    package let column: Int

    package init(byteOffset: Int, in bytes: some Collection<UInt8>) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(byteOffset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.line = line
        self.column = column
    }

    package func position(in file: String) -> SourcePosition {
        SourcePosition(file: file, line: line, column: column)
    }

    /// Returns the offset of the first byte that is not valid UTF-8.
    package static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput, .error: return offset
            }
        }
    }
}
