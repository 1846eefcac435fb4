import Protocols
import Testing

@testable import ReferenceDevice

@Suite("Command line")
struct CommandTests {
    @Test("An app is described by its options, in both spellings")
    func app() throws {
        let command = try DeviceCommand(arguments: [
            "sdl-app", "--host", "127.0.0.1", "--port=12345", "--config", "c.json",
            "--mutant=sends-twice",
        ])
        guard case .sdlApp(let options) = command else {
            Issue.record("not an app")
            return
        }
        #expect(options.address == NumericAddress(host: "127.0.0.1", port: 12_345))
        #expect(options.configuration == "c.json")
        #expect(options.mutant == .sendsTwice)
    }

    @Test("Help wins over anything else that is there")
    func help() throws {
        guard case .help = try DeviceCommand(arguments: ["sdl-app", "--help"]) else {
            Issue.record("not help")
            return
        }
    }

    @Test(
        "A bad command line is refused and says why",
        arguments: [
            ([], "no command"),
            (["jump"], "\"jump\""),
            (["mutants", "head-unit"], "\"head-unit\""),
            (["sdl-app", "--port", "1"], "--host is missing"),
            (["sdl-app", "--host", "::1"], "--port is missing"),
            (["sdl-app", "--host", "::1", "--port", "65536"], "\"65536\""),
            (["sdl-app", "--host", "example.org", "--port", "1"], "\"example.org\""),
            (["sdl-app", "--host", "::1", "--port", "1", "--port", "2"], "twice"),
            (["sdl-app", "--host"], "needs a value"),
            (["sdl-app", "--hots", "::1"], "\"--hots\""),
            (["sdl-app", "--host", "::1", "--port", "1", "--mutant", "x"], "sends-twice"),
        ])
    func errors(arguments: [String], text: String) {
        let error = #expect(throws: UsageError.self) {
            try DeviceCommand(arguments: arguments)
        }
        #expect(error?.description.contains(text) == true)
    }

    @Test("The help names every control method")
    func usage() {
        for method in ControlRequest.Method.allCases {
            #expect(DeviceCommand.usage.contains(method.rawValue))
        }
    }
}
