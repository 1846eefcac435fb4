import System
import Testing
import Wire

@testable import conform_device

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
        #expect(options.client.address == NumericAddress(host: "127.0.0.1", port: 12_345))
        #expect(options.client.configuration == "c.json")
        #expect(options.client.mutant == .sendsTwice)
        #expect(options.transport == nil)
    }

    @Test(
        "The transport may be anywhere in the command line",
        arguments: [
            ["--transport", "iap", "--host", "::1", "--port", "1"],
            ["--host", "::1", "--port", "1", "--transport=iap"],
            ["--host", "::1", "--transport", "iap", "--port", "1"],
        ])
    func transport(arguments: [String]) throws {
        guard case .sdlApp(let options) = try DeviceCommand(arguments: ["sdl-app"] + arguments)
        else {
            Issue.record("not an app")
            return
        }
        #expect(options.transport == .iap)
    }

    @Test("Habits are given as a list with commas")
    func habits() throws {
        let arguments = ["sdl-app", "--habit", "probe-at-full,unregister-at-stop"]
        guard
            case .sdlApp(let options) = try DeviceCommand(
                arguments: arguments + ["--host", "::1", "--port", "1"])
        else {
            Issue.record("not an app")
            return
        }
        #expect(options.habits == [.probesAtFull, .unregistersAtStop])
        guard
            case .profileApp(let app) = try DeviceCommand(
                arguments: ["profile-app", "--host=::1", "--port=1", "--habit=small-pdus"])
        else {
            Issue.record("not an app with profile connections")
            return
        }
        #expect(app.habits == [.keepsPDUsSmall])
    }

    @Test("Help takes precedence over all other arguments")
    func help() throws {
        guard case .help = try DeviceCommand(arguments: ["sdl-app", "--help"]) else {
            Issue.record("not help")
            return
        }
    }

    @Test(
        "A bad command line is refused with the reason",
        arguments: [
            ([], "no command"),
            (["jump"], "\"jump\""),
            (["mutants", "head-units"], "\"head-units\""),
            (["mutants", "sdl-app", "sdl-app"], "the kinds are sdl-app"),
            (["sdl-app", "--port", "1"], "--host is missing"),
            (["sdl-app", "--habit", "sings"], "probe-at-full or unregister-at-stop"),
            (["sdl-app", "--host", "::1"], "--port is missing"),
            (["sdl-app", "--host", "::1", "--port", "65536"], "\"65536\""),
            (["sdl-app", "--host", "example.org", "--port", "1"], "\"example.org\""),
            (["sdl-app", "--host", "::1", "--port", "1", "--port", "2"], "twice"),
            (["sdl-app", "--host"], "needs a value"),
            (["sdl-app", "--host", "::1", "--port", "1", "--transport"], "needs a value"),
            (["sdl-app", "--transport", "tcp", "--transport=iap"], "--transport is given twice"),
            (["sdl-app", "--transport", "usb"], "--transport \"usb\" is not tcp or iap"),
            (["sdl-app", "--hots", "::1"], "\"--hots\""),
            (["sdl-app", "--host", "::1", "--port", "1", "--mutant", "x"], "sends-twice"),
        ])
    func errors(arguments: [String], text: String) {
        let error = #expect(throws: UsageError.self) {
            try DeviceCommand(arguments: arguments)
        }
        #expect(error?.description.contains(text) == true)
    }

    @Test("Mutants are listed for all kinds of devices, or for one")
    func mutants() throws {
        guard case .mutants(nil) = try DeviceCommand(arguments: ["mutants"]),
            case .mutants(.sdlApp) = try DeviceCommand(arguments: ["mutants", "sdl-app"])
        else {
            Issue.record("not the list of mutants")
            return
        }
        let all = try #require(DeviceCommand.mutantsDocument(nil).arrayValue)
        #expect(all == DeviceKind.allCases.flatMap(\.mutants))
        let names = all.compactMap { $0["name"]?.stringValue }
        #expect(Set(names).count == all.count, "a name stands for one mutant")
    }

    @Test("Each mutant of a kind is listed with its role, requirements and summary")
    func mutantList() throws {
        for kind in DeviceKind.allCases {
            let text = DeviceCommand.mutantsDocument(kind).jsonText(pretty: true)
            let entries = try #require(try Value(json: text).arrayValue)
            #expect(!entries.isEmpty)
            for entry in entries {
                #expect(entry["role"]?.stringValue == kind.role)
                #expect(entry["requirements"]?.arrayValue?.isEmpty == false)
                #expect(entry["masks"]?.arrayValue != nil)
                #expect(entry["summary"]?.stringValue?.hasSuffix(".") == true)
            }
        }
    }

    @Test("The help names every control method")
    func usage() {
        for method in DeviceKind.allCases.flatMap(\.controls) {
            #expect(DeviceCommand.usage.contains(method))
        }
    }
}
