import Foundation
import Testing

@testable import SDL
@testable import Wire

@Suite("SDL: real apps against real head units")
struct SDLCaptureTests {
    /// Returns the messages of each direction, the app's first.
    private func messages(_ name: String) throws -> [[SDL.Message]] {
        let bytes = [UInt8](try Data(contentsOf: TestData.capture(name)))
        return LoopbackCapture(bytes).streams.map { stream in
            #expect(SDL.recognises(stream.span.bytes) == true)
            return Wire.messages(stream)
        }
    }

    /// The deviations of the real programs from the specification.
    private static let deviations: [String: Set<String>] = [
        "app-java-core-registration": [
            Self.imageType, "warning: the message id of EndService is the hash of the session",
        ],
        "app-js-core-resume": [Self.imageType, Self.header(5)],
        "app-js-core-wrong-language": [Self.imageType, Self.header(5)],
        "app-java-protocol-v1": ["warning: 1492 bytes of payload, at most 1488 in version 1"],
        "heartbeat": [
            Self.header(3), "warning: EndService of the RPC service has no hash",
        ],
    ]
    private static let imageType =
        "violation: the mandatory params.displayCapabilities.imageFields[*].imageTypeSupported "
        + "is missing"
    private static func header(_ version: Int) -> String {
        "violation: the first StartService has a version-\(version) header, expected version 1"
    }

    @Test(
        "All bytes decode, and only the known deviations are found",
        .enabled(if: TestData.hasCaptures, "the real captures are not here"),
        arguments: TestData.captures)
    func decodes(name: String) throws {
        let directions = try messages(name)
        #expect(directions.count == 2)
        for message in directions.joined() {
            #expect(message.name != "sdl.malformed", "\(message.fields)")
            #expect(!message.name.contains("Unknown"), "\(message.fields)")
        }
        let texts = directions.joined().flatMap(\.anomalies).map { anomaly in
            "\(anomaly.severity): \(anomaly.text)"
                .replacing(/\[[0-9]+\]/, with: "[*]")
        }
        #expect(Set(texts) == Self.deviations[name] ?? [])
    }

    @Test(
        "The language mismatch is decoded with its fields",
        .enabled(if: TestData.hasCaptures, "the real captures are not here"))
    func wrongLanguage() throws {
        let directions = try messages("app-js-core-wrong-language")
        let app = directions[0].map(\.name)
        #expect(
            app.prefix(3) == [
                "sdl.StartService", "sdl.RegisterAppInterface.request",
                "sdl.ChangeRegistration.request",
            ])
        let response = try #require(
            directions[1].first { $0.name == "sdl.RegisterAppInterface.response" })
        #expect(response.fields["params"]?["resultCode"] == "WRONG_LANGUAGE")
        let change = try #require(
            directions[0].first { $0.name.hasSuffix("ChangeRegistration.request") })
        #expect(change.field(try #require(FieldPath("params.language"))) == "ES-MX")
    }

    @Test(
        "A file of 600 consecutive frames is decoded completely",
        .enabled(if: TestData.hasCaptures, "the real captures are not here"))
    func sequenceWrap() throws {
        let app = try messages("app-java-multiframe-sequence-wrap")[0]
        let file = try #require(app.first { $0.name == "sdl.PutFile.request" })
        #expect(file.frameCount == 602)
        #expect(file.field(try #require(FieldPath("bulk.length"))) == 60_000)
    }
}

/// The TCP payload of a small loopback capture: IPv4, retransmissions but no other reordering.
private struct LoopbackCapture {
    private(set) var streams: [[UInt8]] = []

    init(_ file: [UInt8]) {
        var flows: [[UInt8]: (index: Int, next: UInt32)] = [:]
        let linkType = LoopbackCapture.littleEndian(file, at: 20)
        let linkSize = [1: 14, 113: 16, 276: 20, 0: 4][linkType] ?? 0
        var offset = 24
        while offset + 16 <= file.count {
            let size = LoopbackCapture.littleEndian(file, at: offset + 8)
            let packet = Array(file[offset + 16..<offset + 16 + size].dropFirst(linkSize))
            offset += 16 + size
            guard packet.count > 40, packet[0] >> 4 == 4, packet[9] == 6 else { continue }
            let ipSize = Int(packet[0] & 15) * 4
            let total = Int(packet[2]) << 8 | Int(packet[3])
            let payload = Array(packet[ipSize + Int(packet[ipSize + 12] >> 4) * 4..<total])
            let sequence = packet[ipSize + 4..<ipSize + 8].reduce(0) { $0 << 8 | UInt32($1) }
            guard !payload.isEmpty else { continue }
            let key = Array(packet[12..<20] + packet[ipSize..<ipSize + 4])
            let flow = flows[key] ?? (streams.count, sequence)
            if flow.index == streams.count { streams.append([]) }
            let repeated = flow.next &- sequence
            if repeated < UInt32(payload.count) {
                streams[flow.index] += payload.dropFirst(Int(repeated))
                flows[key] = (flow.index, sequence &+ UInt32(payload.count))
            }
        }
    }

    private static func littleEndian(_ bytes: [UInt8], at offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
}
