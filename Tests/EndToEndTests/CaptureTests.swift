import Foundation
import Glibc
import Testing
import Wire

@Suite(
    "Real captures",
    .enabled(if: ConformProgram.data != nil, "the folder of real captures is not there"))
struct RealCaptureTests {
    private var data: String { ConformProgram.data ?? "" }

    @Test(
        "A suite judges a real app with a real head unit to be conformant",
        arguments: [
            ("app-js-core-wrong-language.pcap", "wrong-language-is-changed"),
            ("app-java-core-registration.pcap", "registration-goes-through"),
        ])
    func realRegistration(capture: String, testCase: String) throws {
        let check = try ConformProgram.run([
            "check", "Tests/EndToEndTests/Suites/real-registration.yaml", "\(data)/sdl/\(capture)",
            "--case", testCase,
        ])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test(
        "A capture from a pipe, or one that may grow, is judged like the file",
        arguments: [["-"], ["-", "--follow", "100ms"]])
    func kept(operand: [String]) throws {
        let words = [
            "check", "Tests/EndToEndTests/Suites/real-registration.yaml", "--case",
            "registration-goes-through",
        ]
        let capture = "\(data)/sdl/app-java-core-registration.pcap"
        let pipe = "cat '\(capture)' | '\(ConformProgram.folder)/conform' \"$@\""
        let check = try ConformProgram.Started(
            ["/bin/sh", "-c", pipe, "sh"] + words + operand, in: ConformProgram.root
        ).wait()
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test("A case whose scene the capture may not show is skipped, unless it is named")
    func preconditionsAreUnknown() throws {
        let words = [
            "check", "Suites/registration-language.yaml",
            "\(data)/sdl/app-java-core-registration.pcap",
        ]
        let all = try ConformProgram.run(words)
        #expect(all.status == 0, "\(all.output)\(all.errors)")
        #expect(all.output.contains("= 1 judged (1 pass)"), "only the rules: \(all.output)")
        #expect(all.output.contains("name the case with --case"))
        let named = try ConformProgram.run(words + ["--case", "same-language-changes-nothing"])
        #expect(named.output.contains("1 judged"), "\(named.output)\(named.errors)")
    }

    @Test("Every message of every capture is printed, and no byte is left undecoded")
    func decodeLeavesNothing() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: data + "/sdl")
            .filter { $0.hasSuffix(".pcap") }
        #expect(files.count >= 7)
        for file in files {
            let decode = try ConformProgram.run(
                ["decode", "\(data)/sdl/\(file)", "--format", "json"])
            #expect(decode.status == 0, "\(file): \(decode.errors)")
            let messages = try decode.output.split(separator: "\n").map {
                try Value(json: Array($0.utf8).span.bytes)
            }
            let names = messages.compactMap { $0["name"]?.stringValue }
            #expect(names.contains("sdl.RegisterAppInterface.request"), "\(file)")
            #expect(
                !names.contains {
                    $0.hasSuffix(".malformed") || $0 == "tcp.data" || $0 == "tcp.gap"
                })
            for message in messages where message["name"]?.stringValue != nil {
                #expect(message["frames"]?.arrayValue?.isEmpty == false, "\(file)")
                #expect(message["source"]?.stringValue != nil)
            }
        }
    }
}
