import Glibc
import HTTP
import SuiteLanguage
import TestSupport
import Testing
import Wire

@testable import Devices

/// An attached device, driven until something happens.
private final class AttachedBench {
    let folder = TemporaryFolder()
    let device: AttachedDevice
    private(set) var notices: [DeviceNotice] = []

    init(_ profile: String) throws {
        let parsed = try DeviceProfile.parse(
            text: """
                name: Far
                role: test
                \(profile)
                """, file: "p.yaml")
        device = try AttachedDevice(
            profile: parsed, variables: ["host": "10.0.0.1", "port": "12345"],
            configuration: ["level": "it's \"FULL\""], home: folder.path + "/home",
            log: try? .init(folder.path + "/log"))
    }

    var logText: String { contents(of: folder.path + "/log") }

    /// The answers to the controls.
    var results: [Result<Value, DeviceError>] {
        notices.compactMap { if case .controlAnswered(_, let result) = $0 { result } else { nil } }
    }

    /// The texts of the errors.
    var failures: [String] {
        notices.compactMap {
            switch $0 {
            case .controlAnswered(_, .failure(let error)), .notReady(let error): error.detail
            default: nil
            }
        }
    }

    @discardableResult
    func run(until condition: (AttachedBench) -> Bool) -> Bool {
        let end = ContinuousClock.now + .seconds(20)
        while !condition(self) {
            guard .now < end else { return false }
            var ready = device.pollDescriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let pause = min(device.nextDeadline ?? .seconds(1), .seconds(1)) / .milliseconds(1)
            poll(&ready, nfds_t(ready.count), Int32(pause.rounded(.up)))
            for descriptor in ready where descriptor.revents != 0 {
                notices += device.handle(descriptor.fd)
            }
            notices += device.advance()
        }
        return true
    }

    /// Performs one control and returns what went wrong; `nil` if nothing did.
    func failure(of control: String, _ arguments: Value = .null) throws -> String? {
        run { $0.device.isReady }
        let count = results.count
        try device.perform(control, arguments: arguments)
        #expect(run { $0.results.count > count })
        if case .failure(let error)? = results.last { return error.detail }
        return nil
    }
}

@Suite("Transports of controls")
struct ControlWayTests {
    private static let place = "attach: {address: 10.0.0.7, interface: eth0}"

    @Test("An attached device runs its controls before and after a case, in order")
    func around() throws {
        let bench = try AttachedBench(
            """
            attach: {address: 10.0.0.7, interface: eth0, before: [one, two], after: [three, one]}
            controls:
              one: {command: [/bin/echo, "one ${device.host} ${host}"]}
              two: {command: [/bin/sh, -c, "cat $CONFORM_CONFIG_FILE"], answer: "FULL"}
              three: {command: [/bin/false]}
            """)
        #expect(!bench.device.isReady && !bench.device.mayCome)
        #expect(bench.run { $0.device.isReady })
        #expect(bench.notices.contains(.output(.control, "one 10.0.0.7 10.0.0.1")))
        #expect(bench.failures.isEmpty && bench.results.isEmpty)
        bench.device.stop()
        #expect(bench.run { $0.device.isStopped })
        #expect(bench.device.remarks.count == 1)
        #expect(bench.device.remarks[0].contains("control three ended with exit code 1"))
        #expect(bench.device.isAlive && bench.device.processIdentifier == nil)
    }

    @Test("It is an error if a control before a case fails")
    func beforeFails() throws {
        let bench = try AttachedBench(
            """
            attach: {address: 10.0.0.7, interface: eth0, before: [one]}
            controls: {one: {command: [/bin/echo, no], answer: "yes"}}
            """)
        #expect(bench.run { !$0.failures.isEmpty })
        #expect(bench.failures[0].contains("no line of its answer contains \"yes\""))
    }

    @Test("A command that takes too long, or has no program, fails")
    func command() throws {
        let bench = try AttachedBench(
            """
            \(Self.place)
            controls:
              slow: {command: [/bin/sleep, "60"], timeout: 1s}
              home: {command: [/bin/sh, -c, 'test "$HOME" = "$1"', sh, "${arguments.home}"]}
            """)
        #expect(try bench.failure(of: "slow")?.contains("not done after 1.0 seconds") == true)
        // Programs of controls are the user's own and see the user's home.
        let home = String(cString: getenv("HOME"))
        #expect(try bench.failure(of: "home", ["home": .string(home)]) == nil)
        #expect(throws: DeviceError.self) { try bench.device.perform("none", arguments: .null) }
    }

    @Test("An SSH command reaches the other machine word by word")
    func ssh() throws {
        let control = SSHControl(
            host: "root@${device.host}", port: 2222, identity: "key",
            options: ["User=me"], command: ["/bin/echo", "it's ${x}", "$HOME"])
        let words = try control.words { text throws(DeviceError) in
            try Placeholders(values: ["device.host": "10.0.0.7", "x": "a b"])
                .fill(text, in: "test")
        }
        #expect(
            words == [
                "ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-p", "2222", "-i",
                "key", "-o", "User=me", "--", "root@10.0.0.7",
                "'/bin/echo' 'it'\\''s a b' '$HOME'",
            ])
    }

    @Test("An HTTP request is answered by a status and a body")
    func http() throws {
        let listener = try LoopbackListener()
        listener.open()
        let bench = try AttachedBench(
            """
            \(Self.place)
            controls:
              press:
                http:
                  url: http://127.0.0.1:\(listener.port)/press?key=home
                  headers: {X-Test: "${arguments.name}"}
                  body: '{"config": ${configuration}}'
                answer: done
              found: {http: {url: "http://localhost:\(listener.port)", status: 404}}
              named: {http: {url: "http://bench.example/"}}
            """)
        #expect(bench.run { $0.device.isReady })
        func serve(_ control: String, _ answer: String) throws -> (String, String?) {
            try bench.device.perform(control, arguments: ["name": "me"])
            let count = bench.results.count
            let connection = try listener.accept()
            defer { close(connection) }
            var request = ""
            let body = control == "press" ? "}}" : "\r\n\r\n"
            while !request.hasSuffix(body) {
                var ready = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                _ = bench.device.advance()
                guard poll(&ready, 1, 20) > 0 else { continue }
                var bytes = [UInt8](repeating: 0, count: 4096)
                let length = read(connection, &bytes, bytes.count)
                guard length > 0 else { break }
                request += String(decoding: bytes[..<length], as: UTF8.self)
            }
            _ = answer.withCString { write(connection, $0, strlen($0)) }
            #expect(bench.run { $0.results.count > count })
            guard case .failure(let error)? = bench.results.last else { return (request, nil) }
            return (request, error.detail)
        }
        let (request, failure) = try serve(
            "press", "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nall done")
        #expect(failure == nil)
        #expect(request.hasPrefix("POST /press?key=home HTTP/1.1\r\nHost: 127.0.0.1:"))
        let sent = #"{"config": {"level":"it's \"FULL\""}}"#
        #expect(request.contains("X-Test: me\r\n") && request.hasSuffix("\r\n\r\n" + sent))
        #expect(request.contains("Content-Length: \(sent.utf8.count)\r\n"))
        let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
        #expect(try serve("found", missing).1 == nil)
        #expect(try serve("press", missing).1?.contains("the status is 404") == true)
        #expect(throws: DeviceError.self) { try bench.device.perform("named", arguments: .null) }
    }

    @Test("Any bytes as an HTTP answer, complete or partial, are read or refused")
    func answers() {
        let whole = Array("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nab".utf8)
        for count in 0..<whole.count {
            #expect(HTTPAnswer(Array(whole[..<count]), isWhole: false) == nil)
        }
        #expect(HTTPAnswer(whole, isWhole: false)?.status == 204)
        #expect(HTTPAnswer(whole, isWhole: false)?.body == "ab")
        var random = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            _ = HTTPAnswer(bytes, isWhole: false)
            if let answer = HTTPAnswer(bytes, isWhole: true) {
                #expect((100...999).contains(answer.status))
            }
        }
        for text in ["", "http://", "ftp://1.2.3.4/", "http://1.2.3.4:x/", "http://a b/"] {
            #expect(HTTPPlace(text) == nil, "\(text)")
        }
        #expect(HTTPPlace("http://[::1]:8080")?.path == "/")
        #expect(HTTPPlace("http://1.2.3.4?x=1")?.path == "/?x=1")
    }

    @Test("A serial line is written and its answer read; two controls of one line take turns")
    func serial() throws {
        let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(main) }
        // Linux's TIOCSPTLCK and TIOCGPTN.
        var (isLocked, number) = (Int32(0), UInt32(0))
        #expect(ioctl(main, 0x4004_5431, &isLocked) == 0 && ioctl(main, 0x8004_5430, &number) == 0)
        let path = "/dev/pts/\(number)"
        let bench = try AttachedBench(
            """
            \(Self.place)
            controls:
              on: {serial: {path: \(path), baud: 9600, send: "key ${arguments.key}"}, answer: OK}
              blind: {serial: {path: \(path), send: blind}}
              none: {serial: {path: /dev/null, send: x}}
            """)
        #expect(bench.run { $0.device.isReady })
        try bench.device.perform("on", arguments: ["key": "1"])
        try bench.device.perform("on", arguments: ["key": "2"])
        func received(_ text: String) -> Bool {
            var ready = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
            bench.run { _ in poll(&ready, 1, 20) > 0 }
            var bytes = [UInt8](repeating: 0, count: 256)
            let length = ready.revents == 0 ? 0 : read(main, &bytes, bytes.count)
            return length > 0 && String(decoding: bytes[..<length], as: UTF8.self) == text
        }
        #expect(received("key 1\n"))
        _ = write(main, "noise\r\nOK 1\r\n", 13)
        #expect(bench.run { $0.results.count == 1 })
        #expect(received("key 2\n"))
        _ = write(main, "OK\n", 3)
        #expect(bench.run { $0.results.count == 2 })
        #expect(try bench.failure(of: "blind") == nil)
        #expect(received("blind\n"))
        #expect(bench.failures.isEmpty)
        #expect(throws: DeviceError.self) { try bench.device.perform("none", arguments: .null) }
    }

    @Test(
        "Features that an attached device cannot have, and incomplete controls, are errors",
        arguments: [
            ("controls: {x: stdin}", "needs a device that conform launches"),
            ("controls: {x: {signal: HUP}}", "needs a device that conform launches"),
            ("liveness: control", "needs a control \"ping\""),
            ("ready: {line: up}", "prints and where it listens is not visible"),
            ("ready: {port: 80}", "prints and where it listens is not visible"),
            ("controls: {x: {timeout: 1s}}", "a control has one of"),
            ("controls: {x: {serial: {path: /dev/x, send: x, baud: 17}}}", "not a usual speed"),
            ("controls: {x: {http: {url: \"${nothing}\"}}}", "there is no ${nothing}"),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: InvalidInput.self) {
            try AttachedBench("\(Self.place)\n\(text)")
        }
        #expect(error?.diagnostics.contains { $0.what.contains(words) } == true, "\(error!)")
        #expect(error?.diagnostics.allSatisfy { $0.position != nil } == true)
    }

    @Test("An attachment needs an IP address and existing controls")
    func attachment() {
        for (text, words) in [
            ("attach: {address: phone, interface: eth0}", "is not an IP address"),
            ("attach: {address: 10.0.0.7, interface: eth0, before: [x]}", "no control \"x\""),
        ] {
            let error = #expect(throws: InvalidInput.self) { try AttachedBench(text) }
            #expect(error?.diagnostics.contains { $0.what.contains(words) } == true)
        }
    }
}
