import BuiltInProtocols
import Testing
import Wire

@testable import SuiteLanguage

/// Bytes that are sent as they are, and corruptions of the bytes of messages.
struct CorruptionTests {
    private func read(_ lines: String) throws -> [Step] {
        try SuiteFixture.onlyCase(SuiteFixture.suite(steps: lines)).steps
    }

    @Test("Each form is read, and written as in a suite")
    func forms() throws {
        let steps = try read(
            """
            - send: {bytes: "15 07:00"}
              after: 1s
            - send: sdl.OnHMIStatus.notification
              corrupt: {header: {sdl.version: 9, sdl.data_size: 70000}, append: "ff"}
            - send: sdl.OnHMIStatus.notification
              corrupt: {overwrite: {at: -1, bytes: "00"}, truncate: -2}
              segments: 3
            - send: sdl.OnHMIStatus.notification
              corrupt: {replace: {bytes: {ascii: "FU"}, by: "c328"}, again: 12}
            - lost: bytes
              where: {length: {min: 2}, reason: {contains: version}}
              save: {n: length}
            """)
        #expect(
            steps.map(\.suiteText) == [
                #"send: {bytes: "150700"} {from: hu, after: 1s}"#,
                "send: sdl.OnHMIStatus.notification {from: hu, "
                    + "corrupt: {header: {sdl.version: 9, sdl.data_size: 70000}, append: ff}}",
                "send: sdl.OnHMIStatus.notification {from: hu, "
                    + #"corrupt: {overwrite: [{at: -1, bytes: "00"}], truncate: -2}, segments: 3}"#,
                "send: sdl.OnHMIStatus.notification {from: hu, "
                    + #"corrupt: {replace: [{bytes: "4655", by: c328}], again: 12}}"#,
                "lost: bytes {where: {length: {min: 2}, reason: {contains: version}}, "
                    + "save: {n: length}, within: 5s}",
            ])
    }

    @Test("A value that is wrong on purpose is sent without a warning")
    func wrong() throws {
        let suite = SuiteFixture.suite(
            steps: """
                - send: sdl.OnVehicleData.notification
                  with: {params.rpm: 900}
                  wrong: {params.speed: fast, params.gps: 7}
                """)
        #expect(SuiteFixture.findings(suite).isEmpty)
        #expect(
            try SuiteFixture.onlyCase(suite).steps.map(\.suiteText) == [
                "send: sdl.OnVehicleData.notification {from: hu, "
                    + "with: {params.rpm: 900, params.speed: fast, params.gps: 7}}"
            ])
    }

    @Test(
        "What cannot be sent is reported at its place",
        arguments: [
            #"- send: {bytes: ⟦bad-value⟧"1"}"#,
            #"- send: {bytes: ⟦bad-value⟧""}"#,
            "- send: ⟦missing-key⟧{}",
            "- send: {bytes: \"00\"}\n  ⟦misplaced-key⟧corrupt: {truncate: 1}",
            "- send: {bytes: \"00\"}\n  ⟦misplaced-key⟧wrong: {params.success: 7}",
            "- send: sdl.Show.response\n  wrong: {⟦unknown-field⟧params.succes: 7}",
            "- send: sdl.Show.response\n  corrupt: ⟦missing-key⟧{}",
            "- send: sdl.Show.response\n  corrupt: {header: {⟦unknown-field⟧sdl.versio: 1}}",
            "- send: sdl.Show.response\n  corrupt: {header: {sdl.version: ⟦bad-value⟧16}}",
            "- send: sdl.Show.response\n  corrupt: {overwrite: ⟦missing-key⟧{at: 1}}",
            "- send: sdl.Show.response\n  corrupt: {replace: ⟦bad-value⟧{bytes: \"00\", by: \"0000\"}}",
            "- send: sdl.Show.response\n  corrupt: {replace: ⟦missing-key⟧{bytes: \"00\"}}",
            "- send: sdl.Show.response\n  corrupt: {again: ⟦wrong-type⟧twice}",
            "- send: sdl.Show.response\n  segments: ⟦bad-value⟧0",
            "- lost: ⟦bad-value⟧frames",
            "- lost: bytes\n  where: {⟦unknown-field⟧size: 3}",
            "- expect: sdl.StartService\n  on: ⟦unknown-step⟧first",
        ])
    func broken(_ lines: String) {
        let marked = MarkedText(SuiteFixture.suite(steps: lines))
        let findings = SuiteFixture.findings(marked.text)
        #expect(
            Set(SuiteFixture.places(findings)).isSuperset(of: marked.expected),
            "\(findings.map(\.description))")
    }

    @Test("Header fields are written bit by bit and leave their neighbours unchanged")
    func header() throws {
        let family = ProtocolRegistry.builtIn.family(ofMessage: "sdl.Show.response")
        let fields = try #require(family).frameFields
        func value(_ path: String, _ number: Int64) throws -> Corruption.HeaderValue {
            Corruption.HeaderValue(
                field: try #require(fields.first { $0.path == path }), number: number)
        }
        let frame: [UInt8] = [0x51, 7, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 1, 2, 3, 4]
        let corruption = Corruption(
            header: [
                try value("sdl.version", 15), try value("sdl.frame_type", 6),
                try value("sdl.data_size", 0x1_0203), try value("sdl.message_id", 0xFFFF_FFFF),
            ])
        #expect(
            corruption.applied(to: frame)
                == [0xF6, 7, 0, 1, 0, 1, 2, 3, 255, 255, 255, 255, 1, 2, 3, 4])
        #expect(corruption.applied(to: Array(frame.prefix(11))) == nil)
    }

    @Test("Bytes are overwritten, cut and added in this order")
    func order() {
        let message: [UInt8] = [1, 2, 3, 4]
        #expect(
            Corruption(
                overwritings: [.init(offset: -1, bytes: [9]), .init(offset: 0, bytes: [7, 8])],
                truncation: -2, appended: [5]
            ).applied(to: message) == [7, 8, 5])
        #expect(Corruption(truncation: 3).applied(to: message) == [1, 2, 3])
        #expect(Corruption(truncation: 5).applied(to: message) == nil)
        #expect(Corruption(truncation: 0).applied(to: message) == nil)
        #expect(
            Corruption(overwritings: [.init(offset: 3, bytes: [1, 2])]).applied(to: message) == nil)
        #expect(
            Corruption(overwritings: [.init(offset: -5, bytes: [1])]).applied(to: message) == nil)
    }

    @Test("Bytes are replaced wherever they are, and the message is put in once more")
    func again() {
        let message: [UInt8] = [1, 2, 1, 2, 2]
        let replaced = Corruption(replacements: [.init(bytes: [1, 2], replacement: [2, 2])])
        #expect(replaced.applied(to: message) == [2, 2, 2, 2, 2])
        #expect(replaced.applied(to: [2, 1, 1]) == nil)
        #expect(Corruption(repetition: 0).applied(to: [1, 2]) == [1, 2, 1, 2])
        #expect(Corruption(repetition: 1).applied(to: [1, 2]) == [1, 1, 2, 2])
        #expect(Corruption(repetition: -1).applied(to: [1, 2, 3]) == [1, 2, 1, 2, 3, 3])
        #expect(Corruption(repetition: 3).applied(to: [1, 2]) == nil)
        #expect(
            Corruption(truncation: 1, appended: [9], repetition: 0).applied(to: [1, 2])
                == [1, 9, 1, 9])
    }
}
