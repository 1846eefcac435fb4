import BuiltInProtocols
import Glibc
import SDL
import SuiteLanguage
import Testing
import Trace
import Wire

@testable import Offline

/// SDL as described by a file, compared with the decoder of `conform`.
@Suite("Frames of SDL by a description")
struct DescribedFramesTests {
    static let root: String? = {
        guard let real = realpath(#filePath, nil) else { return nil }
        defer { free(real) }
        return "/" + String(cString: real).split(separator: "/").dropLast(3).joined(separator: "/")
    }()

    static let folder: String? = {
        if let named = getenv("CONFORM_DATA") { return String(cString: named) }
        guard let folder = root.map({ "\($0)/../shared/data" }) else { return nil }
        return access(folder, R_OK) == 0 ? folder : nil
    }()

    /// Returns the members of a BSON document in the form of the description.
    private static func members(_ document: Value?) -> Value {
        let elements = document?["elements"]?.arrayValue ?? []
        let pairs = elements.compactMap { element -> Value.Member? in
            guard let name = element["name"]?.stringValue, let content = element["content"] else {
                return nil
            }
            let value: Value
            switch element["kind"]?.integerValue {
            case 3: value = members(content)
            case 4: value = .array((members(content).objectValue ?? []).map(\.value))
            case 8: value = .bool(content["value"] == 1)
            default: value = content["value"] ?? .null
            }
            return Value.Member(name, value)
        }
        return .object(pairs)
    }

    @Test(
        "StartService and its answers have the fields of the built-in decoder",
        .enabled(if: folder != nil, "no recorded data; name its folder in CONFORM_DATA"),
        arguments: [
            "app-java-core-registration", "app-java-multiframe-sequence-wrap",
            "app-java-protocol-v1", "app-java-protocol-v2", "app-js-core-resume",
            "app-js-core-wrong-language", "heartbeat",
        ])
    func fields(capture: String) throws {
        let path = "\(try #require(Self.folder))/sdl/\(capture).pcap"
        let described = try SuiteLoader(.builtIn).loadProtocol(
            path: "\(try #require(Self.root))/Benchmarks/sdl-frames.yaml")
        let names = ["StartService", "StartServiceACK", "StartServiceNAK"]
        let known = try RecordedTrace(contentsOf: path, options: TraceOptions(.builtIn)).messages
            .filter { message in
                names.contains { message.name == "sdl.\($0)" }
            }
        var options = TraceOptions(.builtIn)
        for port in Set(known.flatMap { [$0.source, $0.destination] }.compactMap { $0?.port }) {
            options.protocolsByPort[port] = described.stream?.streamProtocol
        }
        let own = try RecordedTrace(contentsOf: path, options: options).messages.filter { message in
            names.contains { message.name == "sdl-frames.\($0)" }
        }
        #expect(!known.isEmpty)
        try #require(own.count == known.count)
        for (left, right) in zip(known, own) {
            #expect(left.name.dropFirst("sdl.".count) == right.name.dropFirst("sdl-frames.".count))
            #expect(left.frames == right.frames)
            for field in [
                "version", "frame_type", "service_type", "frame_info", "session_id", "data_size",
                "message_id",
            ] {
                let path = try #require(FieldPath(field))
                #expect(left.content.fields["sdl"]?[field] == right.content.field(path), "\(field)")
            }
            guard let params = left.content.fields["params"] else { continue }
            let payload = right.content.fields["payload"]
            let found =
                payload?["hash_id"].map { ["hashId": $0] } ?? Self.members(payload)
            #expect(params.isEqual(to: found), "\(params.jsonText()) \(found.jsonText())")
        }
    }
}
