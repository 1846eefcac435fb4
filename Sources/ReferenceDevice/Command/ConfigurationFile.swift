import Glibc
import Protocols

extension LifecycleConfiguration {
    /// Reads a configuration file.
    public init(file path: String) throws(ConfigurationError) {
        let bytes = try LifecycleConfiguration.contents(of: path)
        let document: Value
        do {
            document = try Value(json: bytes.span.bytes)
        } catch {
            throw ConfigurationError(key: "", problem: "\(path) is not JSON: \(error.detail)")
        }
        try self.init(document: document)
    }

    private static func contents(of path: String) throws(ConfigurationError) -> [UInt8] {
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
