import Glibc
import Results
import System
import Trace

extension RunEnvironment {
    /// Returns the environment on this machine.
    package static func current(isolation: String) -> RunEnvironment {
        var name = utsname()
        uname(&name)
        return RunEnvironment(
            host: text(&name.nodename), system: distribution ?? text(&name.sysname),
            kernel: text(&name.release),
            isolation: isolation,
            cores: Processors.count)
    }

    private static func text<Field>(_ field: inout Field) -> String {
        withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static var distribution: String? {
        let lines = (try? NamedInput("/etc/os-release").contents(limit: 1 << 16))
            .map { String(decoding: $0, as: UTF8.self) }
        return lines?.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
            .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } }
    }
}
