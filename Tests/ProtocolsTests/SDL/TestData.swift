import Foundation

/// Real captures and the specification's XML, which are not part of the repository.
enum TestData {
    /// The folder of the data: `CONFORM_DATA`, or `shared/data` next to the repository.
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["CONFORM_DATA"] {
            return URL(fileURLWithPath: path)
        }
        var url = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<5 { url.deleteLastPathComponent() }
        return url.appendingPathComponent("shared/data")
    }()

    static let captures = [
        "app-java-core-registration", "app-java-multiframe-sequence-wrap", "app-java-protocol-v1",
        "app-java-protocol-v2", "app-js-core-resume", "app-js-core-wrong-language", "heartbeat",
    ]

    static let specification = folder.appendingPathComponent("sdl/MOBILE_API.xml")

    static func capture(_ name: String) -> URL {
        folder.appendingPathComponent("sdl/\(name).pcap")
    }

    static let hasSpecification = FileManager.default.fileExists(atPath: specification.path)
    static let hasCaptures = captures.allSatisfy {
        FileManager.default.fileExists(atPath: capture($0).path)
    }
}
