import Glibc
import Testing

@testable import Devices

@Suite("The reference of device profiles")
struct DeviceProfileDocumentationTests {
    private static let root: String = {
        guard let resolved = realpath(#filePath, nil) else { return "/" }
        defer { free(resolved) }
        let folders = String(cString: resolved).split(separator: "/").dropLast(3)
        return "/" + folders.joined(separator: "/")
    }()

    static let page: String? = {
        let text = contents(of: root + "/Documentation/device-profile.md")
        return text.isEmpty ? nil : text
    }()

    private static let repositoryProfiles: [String] = {
        guard let folder = opendir(root + "/Suites/devices") else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".yaml"), !name.hasPrefix("known-failures") {
                names.append("\(root)/Suites/devices/\(name)")
            }
        }
        return names.sorted()
    }()

    @Test(
        "The profiles of the repository conform to the reference",
        .enabled(if: !repositoryProfiles.isEmpty, "no Suites folder"))
    func repository() throws {
        #expect(Self.repositoryProfiles.count >= 4)
        for path in Self.repositoryProfiles {
            let profile = try DeviceProfile.load(path: path)
            // The clocks of these libraries do not follow libfaketime.
            let isScaled =
                profile.timeScaling == .faketime
                || ["grpc", "confluent-kafka", "psycopg-pool"].contains {
                    path.hasSuffix("/\($0)-python.yaml")
                } || path.hasSuffix("/session-tls.yaml")
            let isClient = isScaled && profile.role == "session.client"
            let isOther = [
                "http.client", "http.server", "profile.app", "sdl.app", "sdl.head-unit",
            ].contains(
                profile.role)
            #expect(isClient || isOther, "\(path)")
        }
    }

    /// The fenced blocks of YAML, each with the number of its first line.
    private static func examples(in page: String) -> [(line: Int, text: String)] {
        var examples: [(line: Int, text: String)] = []
        var isOpen = false
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if isOpen, line == "```" {
                isOpen = false
            } else if isOpen {
                examples[examples.count - 1].text += line + "\n"
            } else if line == "```yaml" {
                isOpen = true
                examples.append((index + 2, ""))
            }
        }
        return examples
    }

    @Test("The examples load", .enabled(if: page != nil, "no Documentation folder"))
    func examplesLoad() throws {
        let examples = Self.examples(in: try #require(Self.page))
        #expect(examples.count >= 3)
        for (line, text) in examples {
            #expect(throws: Never.self, "example in line \(line)") {
                try DeviceProfile.parse(text: text, file: "device-profile.md")
            }
        }
    }

    @Test(
        "It names every key and the defaults", .enabled(if: page != nil, "no Documentation folder"))
    func keys() throws {
        let page = try #require(Self.page)
        let keys = [
            "name", "role", "launch", "attach", "version", "features", "controls", "env", "cwd",
            "ready", "stop", "limits", "exit", "parameters", "conform", "cpu", "memory",
            "processes", "output", "fileSize", "openFiles",
        ]
        for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
        let limits = DeviceProfile.Limits()
        #expect(page.contains("| \(try #require(limits.processes)) |"))
        #expect(page.contains("| \(try #require(limits.openFiles)) |"))
        #expect(page.contains("`\(limits.output >> 20)MiB`"))
        #expect(page.contains("`\(try #require(limits.fileSize) >> 30)GiB`"))
        #expect(page.contains("`\(try #require(limits.cpuSeconds) / 60)m`"))
        for name in Placeholders.common { #expect(page.contains("`${\(name)}`"), "\(name)") }
    }
}
