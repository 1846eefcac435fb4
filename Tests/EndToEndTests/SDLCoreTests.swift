import Foundation
import TestSupport
import Testing

/// The profile of sdl_core and its HMI, with a stand-in for the core.
///
/// The stand-in is a WebSocket broker in front of the reference head unit, because the core itself
/// takes too long to build for tests.
@Suite("The profile of sdl_core")
struct SDLCoreTests {
    /// Creates a folder that is laid out like the repository, and returns the profile in it.
    ///
    /// The core in the folder is the stand-in.
    private static func profile() throws -> String {
        let folder = TemporaryFolder.lasting()
        let core = "\(folder)/.third-party/sdl/core"
        let files = FileManager.default
        try files.createDirectory(atPath: "\(core)/plugins", withIntermediateDirectories: true)
        try files.createDirectory(atPath: "\(folder)/Suites", withIntermediateDirectories: true)
        try files.copyItem(
            atPath: "\(ConformProgram.root)/Suites/devices", toPath: "\(folder)/Suites/devices")
        for (name, text) in [
            ("smartDeviceLink.ini", "TCPAdapterPort = 1\nPluginFolder = ./\n"), ("hmi.json", "{}"),
            (
                "smartDeviceLinkCore",
                """
                #!/bin/sh
                exec python3 \(ConformProgram.root)/Tests/EndToEndTests/Suites/stand-in-core.py \
                    \(ConformProgram.folder)/conform-device
                """
            ),
        ] {
            try text.write(toFile: "\(core)/\(name)", atomically: true, encoding: .utf8)
        }
        try files.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: "\(core)/smartDeviceLinkCore")
        return "\(folder)/Suites/devices/sdl-core.yaml"
    }

    @Test(
        "The profile starts the core and the HMI, which answers and obeys the controls",
        arguments: [
            (
                "sdl-head-unit-protocol",
                ["session-*", "change-of-*", "changed-*", "nothing-follows-*"]
            ),
            ("head-unit-multisession", ["activated-app-is-in-front"]),
        ])
    func controls(suite: String, cases: [String]) throws {
        let run = try JudgedRun(
            "Suites/\(suite).yaml",
            ["--device", try Self.profile()] + cases.flatMap { ["--case", $0] })
        #expect(run.outcome.status == 0, "\(run.outcome.output)\(run.outcome.errors)")
        #expect(!run.results.verdicts.values.contains("skipped"), "\(run.results.verdicts)")
        try run.expectSameOffline()
    }
}
