import Glibc
import System

/// The files of a test by their paths.
package enum FileSystem {
    /// Creates a folder and its parents.
    package static func makeFolder(_ path: String) throws { _ = try HeldFolder(making: path) }

    /// Writes a complete file.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        try HeldFile(path).replace(with: bytes)
    }

    /// The content of a file; `nil` if it cannot be read.
    package static func read(_ path: String) -> [UInt8]? {
        try? NamedInput(path).contents(limit: .max)
    }

    /// The names of the entries of a folder; empty if it cannot be read.
    package static func names(in path: String) -> [String] { (try? HeldFolder(path).names) ?? [] }

    /// The folder in which a file is.
    package static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
