import FoundationEssentials
import Glibc

/// The few file operations that runs need, with errors that say what and why.
enum FileSystem {
    /// Makes a folder and those above it; one that exists is fine.
    static func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    /// Writes a file whole, by way of a temporary one in the same folder.
    static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    }

    /// The content of a file; `nil` if it cannot be read.
    static func read(_ path: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: path))).map { Array($0) }
    }

    /// A path from the root, made from one that may start at the working directory.
    static func absolutePath(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// Removes a folder and all in it; one that is not there is fine.
    static func removeTree(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
