import Foundation
import TestSupport
import Testing

@Suite("Captures that are made to be expensive")
struct HostileCaptureTests {
    private let folder = TemporaryFolder.lasting()
    private let check = [
        "check", "Suites/registration-language.yaml", "--case", "same-language-changes-nothing",
    ]

    /// Writes a capture of the given number of connection attempts, each by another client.
    private func attempts(_ count: Int) throws -> String {
        func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian, Array.init)
        }
        var bytes: [UInt8] =
            number(0xA1B2_C3D4 as UInt32) + number(0x2_0004 as UInt32) + number(0 as UInt64)
            + number(65_535 as UInt32) + number(101 as UInt32)
        for index in 0..<count {
            bytes += number(UInt32(1_700_000_000)) + number(UInt32(index))
            bytes += number(40 as UInt32) + number(40 as UInt32)
            bytes += [0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 11, 0, 0]
            bytes += [UInt8(index / 50_000), 10, 0, 0, 1]
            bytes += number(UInt16(1_000 + index % 50_000)) + number(UInt16(12_345))
            bytes +=
                number(UInt32(index)) + number(0 as UInt32) + [0x50, 2, 0xFF, 0xFF, 0, 0, 0, 0]
        }
        let path = "\(folder)/attempts-\(count).pcap"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    @Test("A recording keeps a limited number of messages, and names the option that raises it")
    func record() throws {
        let capture = try attempts(2_000)
        let words = ["record", capture, "-o", "\(folder)/suite.yaml"]
        let few = try ConformProgram.run(words + ["--limit", "messages=1000"])
        #expect(few.status == 3, "\(few.errors)")
        #expect(few.errors.contains("more than 1000 messages; raise it with --limit messages=N"))
        let all = try ConformProgram.run(words)
        #expect(all.errors.contains("no party in it uses a protocol"), "\(all.errors)")
        let beyond = try ConformProgram.run(
            ["record", try attempts(131_073), "-o", "\(folder)/suite.yaml"])
        #expect(beyond.status == 3)
        #expect(beyond.errors.contains("more than 131072 messages"), "\(beyond.errors)")
    }

    @Test("A case not judged within --limit time is inconclusive, and decoding beyond it an error")
    func time() throws {
        let capture = try attempts(20_000)
        let late = try ConformProgram.run(check + [capture, "--limit", "time=1ms"])
        #expect(late.status == 3, "\(late.output)\(late.errors)")
        #expect(late.output.contains("not read to its end within"), "\(late.output)")
        #expect(late.output.contains("inconclusive"), "\(late.output)")
        #expect(late.output.contains("--limit time="))
        let decoded = try ConformProgram.run(["decode", capture, "--limit", "time=1ms"])
        #expect(decoded.status == 3 && decoded.errors.contains("--limit time="))
        let refused = try ConformProgram.run(["decode", capture, "--limit", "time=soon"])
        #expect(refused.status == 2)
    }

    @Test("Connections beyond the limit replace the oldest ones")
    func connections() throws {
        let outcome = try ConformProgram.run(
            ["decode", "--stats", try attempts(5_000), "--limit", "flows=1000"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output.contains("given up at the limit (--limit flows=N)"), "\(outcome.output)")
    }
}
