import Devices
import Glibc
import Testing
import Wire

@Suite("A launched device")
struct DeviceProcessTests {
    @Test("Printed lines come as notices and are in the log with time and stream")
    func output() throws {
        let bench = try TestBench(script: "echo one; echo two >&2; printf 'no end'")
        #expect(bench.runToEnd() == .code(0))
        #expect(bench.lines() == ["one", "no end"])
        #expect(bench.lines(.stderr) == ["two"])
        let log = bench.logText.split(separator: "\n")
        #expect(log.contains { $0.hasPrefix("[0.") && $0.hasSuffix("] stdout: one") })
        #expect(log.contains { $0.hasSuffix("] stderr: two") })
        #expect(log.last?.hasSuffix("] conform: device ended: exit code 0") == true)
    }

    @Test("Output is reported before the end")
    func orderOfNotices() throws {
        let bench = try TestBench(script: "echo last")
        bench.runToEnd()
        #expect(bench.notices == [.output(.stdout, "last"), .exited(.code(0))])
    }

    @Test(
        "The end is reported with exit code or signal",
        arguments: [
            ("exit 3", DeviceExit.code(3), "exit code 3"),
            ("kill -SEGV $$", .signal(SIGSEGV), "signal 11 (SIGSEGV)"),
            ("kill -40 $$", .signal(40), "signal 40"),
        ])
    func end(script: String, exit: DeviceExit, text: String) throws {
        let bench = try TestBench(script: script)
        #expect(bench.runToEnd() == exit)
        #expect(exit.description == text)
        #expect(!bench.device.isAlive)
    }

    @Test("A device has its own environment, without any variable of the caller")
    func environment() throws {
        setenv("CONFORM_TEST_SECRET", "secret", 1)
        let bench = try TestBench(script: "env") { profile in
            profile.environment = ["OWN": "${host}:${hu.port} $${x}", "TZ": "Asia/Tokyo"]
        }
        bench.runToEnd()
        let names = Set(
            bench.lines().compactMap { $0.split(separator: "=").first.map(String.init) })
        let expected: Set = [
            "PATH", "HOME", "TMPDIR", "LANG", "TZ", "CONFORM_CONFIG", "CONFORM_CONFIG_FILE", "OWN",
            "CONFORM_PROCESS",
        ]
        #expect(names.subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == expected)
        #expect(bench.lines().contains("OWN=127.0.0.1:12345 ${x}"))
        #expect(bench.lines().contains("TZ=Asia/Tokyo"))
        #expect(bench.lines().contains("LANG=C.UTF-8"))
    }

    @Test("A device has an empty home and a folder for temporary files")
    func home() throws {
        let bench = try TestBench(
            script: "ls -A $HOME; touch $HOME/x $TMPDIR/y && echo ok; echo ${home}")
        bench.runToEnd()
        #expect(bench.lines() == ["ok", bench.folder.path + "/home/home"])
    }

    @Test("A device gets the configuration as text and as a file")
    func configuration() throws {
        let configuration: Value = ["language": "DE-DE", "ids": [1, 2]]
        let bench = try TestBench(
            script: "echo \"$CONFORM_CONFIG\"; tr -d ' \\n' <\"$CONFORM_CONFIG_FILE\"; echo; "
                + "cmp \"$CONFORM_CONFIG_FILE\" \"${config}\" && echo same",
            configuration: configuration)
        bench.runToEnd()
        let text = #"{"language":"DE-DE","ids":[1,2]}"#
        #expect(bench.lines() == [text, text, "same"])
    }

    @Test(
        "A configuration that is too large for a variable is only a file, and the log says so")
    func largeConfiguration() throws {
        let bench = try TestBench(
            script: "echo \"[$CONFORM_CONFIG]\"; wc -c <\"$CONFORM_CONFIG_FILE\"",
            configuration: ["text": .string(String(repeating: "x", count: 200_000))])
        bench.runToEnd()
        #expect(bench.lines().first == "[]")
        #expect(bench.lines().last.flatMap { Int($0) }.map { $0 > 200_000 } == true)
        #expect(bench.logText.contains("CONFORM_CONFIG is left out"))
    }

    @Test("A device inherits no descriptor but the three standard ones")
    func descriptors() throws {
        let leaking = open("/dev/null", O_RDONLY)
        defer { close(leaking) }
        let bench = try TestBench(script: "exec ls /proc/self/fd")
        bench.runToEnd()
        // The last is the one with which ls reads the folder.
        #expect(bench.lines() == ["0", "1", "2", "3"])
    }

    @Test("A device has no privileges, default signals, its own session and umask 022")
    func confinement() throws {
        let bench = try TestBench(script: "cat /proc/self/status; umask; ps -o sid= -p $$; echo $$")
        bench.runToEnd()
        let status = bench.lines().filter { $0.contains(":\t") }
        for name in ["CapEff", "CapPrm", "CapInh", "CapAmb", "SigBlk", "SigIgn"] {
            #expect(status.contains("\(name):\t0000000000000000"), "\(name)")
        }
        #expect(status.contains("NoNewPrivs:\t1"))
        let tail = bench.lines().suffix(3).map { $0.filter { $0 != " " } }
        #expect(tail.first == "0022")
        #expect(tail[1] == tail[2])
    }

    @Test("A device has the limits of its profile")
    func limits() throws {
        let script = "ulimit -t; ulimit -v; ulimit -n; ulimit -c; ulimit -f"
        let bench = try TestBench(script: script) { profile in
            profile.limits.cpuSeconds = 7
            profile.limits.memory = 512 << 20
            profile.limits.processes = nil
            profile.limits.fileSize = 1 << 20
            profile.limits.openFiles = 64
        }
        bench.runToEnd()
        #expect(bench.lines() == ["7", "524288", "64", "0", "2048"])
    }

    @Test("The kernel stops a device that writes too large a file")
    func fileSize() throws {
        let bench = try TestBench(script: "exec dd if=/dev/zero of=$TMPDIR/x bs=4096 count=100") {
            $0.limits.fileSize = 8192
        }
        #expect(bench.runToEnd() == .signal(SIGXFSZ))
    }

    @Test(
        "The process limit counts on top of the user's own processes, unless the user is real root")
    func processLimit() throws {
        let bench = try TestBench(script: "ulimit -u 2>/dev/null || ulimit -p") {
            $0.limits.processes = 10
        }
        bench.runToEnd()
        let limit = bench.lines().first.flatMap { Int($0) } ?? 0
        #expect(limit > 10)
    }

    @Test("Output fills the log only up to the limit, and omitted bytes are counted")
    func outputLimit() throws {
        let script = "i=0; while [ $i -lt 100 ]; do echo 0123456789; i=$((i+1)); done"
        let bench = try TestBench(script: script) { $0.limits.output = 55 }
        bench.runToEnd()
        bench.device.stop()
        #expect(bench.lines().count == 100)
        let log = bench.logText
        #expect(log.split(separator: "\n").filter { $0.contains("stdout:") }.count == 5)
        #expect(log.contains("output limit of 55 bytes reached"))
        #expect(log.contains("\(95 * 11) bytes of output are not in this log"))
    }

    @Test("An endless line is cut into pieces")
    func endlessLine() throws {
        let bench = try TestBench(script: "head -c 200000 /dev/zero | tr '\\0' a")
        bench.runToEnd()
        #expect(bench.lines().map(\.utf8.count) == [65536, 65536, 65536, 3392])
    }
}
