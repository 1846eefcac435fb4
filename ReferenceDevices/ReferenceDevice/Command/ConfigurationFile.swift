import Glibc
import Wire

/// The configuration of a kind of device: defaults, and a document that changes them.
public protocol DeviceConfiguration: Sendable {
    /// Creates the defaults.
    init()
    /// Applies the members of a document to the defaults.
    init(document: Value) throws(ConfigurationError)
}

extension DeviceConfiguration {
    /// Reads a configuration file, or uses the defaults if there is none.
    public init(file path: String?) throws(ConfigurationError) {
        guard let path else {
            self.init()
            return
        }
        let bytes = try ConfigurationFile.contents(of: path)
        let document: Value
        do {
            document = try Value(json: bytes.span.bytes)
        } catch {
            throw ConfigurationError(key: "", problem: "\(path) is not JSON: \(error.detail)")
        }
        try self.init(document: document)
    }
}

private enum ConfigurationFile {
    static func contents(of path: String) throws(ConfigurationError) -> [UInt8] {
        guard let file = fopen(path, "rbe") else {
            throw ConfigurationError(
                key: "", problem: "cannot read \(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            contents += buffer.prefix(count)
        }
        guard ferror(file) == 0 else {
            throw ConfigurationError(key: "", problem: "cannot read \(path)")
        }
        return contents
    }
}
