import Devices
import Glibc
import System
import TestSupport
import Testing
import Wire

@Suite("The lives of a device in one case")
struct DeviceLivesTests {
    /// A device that counts its lives in a file of its home and prints its configuration.
    private static let script = """
        trap 'echo bye; exit 0' TERM
        echo x >> "$HOME/lives"
        echo "life $(wc -l < "$HOME/lives") $CONFORM_CONFIG"
        sleep 60 & wait
        """

    @Test("Lives follow one another in the same home, with the configuration changed as requested")
    func restart() throws {
        let bench = try LivesBench(script: Self.script, configuration: ["a": 1, "b": ["c": 2]])
        #expect(bench.run { $0.lines.contains(#"life 1 {"a":1,"b":{"c":2}}"#) })
        try bench.lives.perform("restart", arguments: ["b": ["c": 3, "d": 4], "a": .null])
        #expect(bench.run { $0.lines.contains(#"life 2 {"b":{"c":3,"d":4}}"#) })
        #expect(bench.plannedEnds == [.code(0)])
        #expect(bench.unplannedEnds.isEmpty)
        #expect(bench.lines.contains("bye"))
        try bench.lives.perform("kill", arguments: .null)
        #expect(bench.run { $0.plannedEnds.count == 2 })
        #expect(bench.plannedEnds.last == .signal(SIGKILL))
        #expect(!bench.lives.isAlive)
        try bench.lives.perform("start", arguments: .null)
        #expect(bench.run { $0.lines.contains(#"life 3 {"b":{"c":3,"d":4}}"#) })
        #expect(bench.launches == 2)
        bench.lives.stop()
        #expect(bench.run { $0.lives.isStopped })
        let log = contents(of: bench.folder.path + "/log")
        #expect(log.contains("life 1") && log.contains("life 3"))
    }

    @Test("A life can start after an unplanned end, which is reported as such")
    func ownEnd() throws {
        let bench = try LivesBench(script: "echo x >> $HOME/n; wc -l < $HOME/n; exit 3")
        #expect(bench.run { $0.unplannedEnds == [.code(3)] })
        try bench.lives.perform("start", arguments: .null)
        #expect(bench.run { $0.lines.contains("2") && $0.unplannedEnds.count == 2 })
    }

    @Test("A life is neither started nor damaged while another one lasts")
    func refused() throws {
        let bench = try LivesBench(script: "echo up; sleep 60 & wait")
        #expect(bench.run { $0.lines == ["up"] })
        #expect(throws: DeviceError.self) {
            try bench.lives.perform("start", arguments: .null)
        }
        #expect(throws: DeviceError.self) {
            try bench.lives.perform("damage", arguments: ["remove": true])
        }
    }

    @Test("A life ends by the control \"stop\" if the profile has one")
    func control() throws {
        let bench = try LivesBench(script: "echo up; read line; echo \"$line\"; exit 4") {
            $0.controls["stop"] = .request(method: "app.end")
        }
        #expect(bench.run { $0.lines == ["up"] })
        try bench.lives.perform("stop", arguments: .null)
        #expect(bench.run { $0.plannedEnds == [.code(4)] })
        #expect(bench.lines.last?.contains(#""method":"app.end""#) == true)
    }

    @Test("The files of a life can be damaged in every way before the next one")
    func damage() throws {
        let bench = try LivesBench(
            script: """
                mkdir -p $HOME/.store; ln -s /etc/passwd $HOME/link.json
                for name in a b; do printf '{"version":1}' > $HOME/.store/$name.json; done
                printf kept > $HOME/.store/c.txt
                """)
        #expect(bench.run { $0.unplannedEnds == [.code(0)] })
        let store = bench.folder.path + "/home/home/.store/"
        func damage(_ order: Value) throws { try bench.lives.perform("damage", arguments: order) }
        try damage([
            "files": "*.json", "replace": ["text": "\"version\":1", "by": "\"version\":99"],
        ])
        #expect(contents(of: store + "a.json") == #"{"version":99}"#)
        #expect(contents(of: store + "b.json") == #"{"version":99}"#)
        try damage(["files": "a.*", "truncate": 5])
        #expect(contents(of: store + "a.json") == #"{"ver"#)
        try damage(["files": "a.*", "truncate": 500])
        #expect(contents(of: store + "a.json") == #"{"ver"#)
        try damage(["files": "a.*", "truncate": -2])
        #expect(contents(of: store + "a.json") == #"{"v"#)
        try damage(["files": "b.json", "overwrite": "rubbish"])
        #expect(contents(of: store + "b.json") == "rubbish")
        try damage(["files": "b.json", "unreadable": true])
        var status = stat()
        #expect(stat(store + "b.json", &status) == 0 && status.st_mode & 0o777 == 0)
        try damage(["remove": true])
        #expect(access(store + "a.json", F_OK) != 0 && access(store + "c.txt", F_OK) != 0)
        #expect(!contents(of: "/etc/passwd").isEmpty)
        #expect(throws: DeviceError.self) { try damage(["files": "*"]) }
        #expect(throws: DeviceError.self) { try damage(["truncate": 1, "remove": true]) }
    }
}

/// The lives of a shell script, driven until something happens.
private final class LivesBench {
    let folder = TemporaryFolder()
    let lives: DeviceLives
    private(set) var lines: [String] = []
    private(set) var plannedEnds: [DeviceExit] = []
    private(set) var unplannedEnds: [DeviceExit] = []
    private(set) var launches = 0

    init(
        script: String, configuration: Value = .object([]),
        change: (inout DeviceProfile) -> Void = { _ in }
    ) throws {
        var profile = DeviceProfile.command(["/bin/sh", "-c", script], role: "test")
        change(&profile)
        lives = try DeviceLives(
            profile: profile, variables: [:], configuration: configuration,
            home: folder.path + "/home", log: HeldFile(folder.path + "/log"))
    }

    func run(until condition: (LivesBench) -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(10)
        while !condition(self) {
            let left = end - .now
            guard left > .zero else { return false }
            let pause = min(left, lives.nextDeadline ?? left) / .milliseconds(1)
            var ready = lives.pollDescriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&ready, nfds_t(ready.count), Int32(pause.rounded(.up)))
            do {
                for descriptor in ready where descriptor.revents != 0 {
                    consume(try lives.handle(descriptor.fd))
                }
                consume(try lives.advance())
            } catch {
                Issue.record("\(error)")
                return false
            }
        }
        return true
    }

    private func consume(_ notices: [DeviceNotice]) {
        for notice in notices {
            switch notice {
            case .output(.stdout, let line): lines.append(line)
            case .exited(let exit): unplannedEnds.append(exit)
            case .endedAsPlanned(let exit): plannedEnds.append(exit)
            case .launchedAgain: launches += 1
            default: break
            }
        }
    }
}
