import Files
import Glibc

/// Files of a test by their paths.
package enum FileSystem {
    /// Makes a folder and those above it.
    package static func makeFolder(_ path: String) throws { _ = try HeldFolder(making: path) }

    /// Writes a file whole.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        try HeldFile(path).replace(with: bytes)
    }

    /// The content of a file; `nil` if it cannot be read.
    package static func read(_ path: String) -> [UInt8]? {
        try? NamedInput(path).contents(limit: .max)
    }

    /// The names of what is in a folder; none if it cannot be read.
    package static func names(in path: String) -> [String] { (try? HeldFolder(path).names) ?? [] }

    /// The folder in which a file is.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
