import Devices
import Foundation
import Glibc
import TestSupport
import Testing

/// A second network namespace for devices, joined to this one by a pair of virtual interfaces.
///
/// Each test creates its own one, as root.
final class Bench {
    /// The interface on this side.
    let interface: String
    /// The address of the bench.
    let address: String
    /// The interface on the other side.
    let inside: String
    /// A folder for files of the test.
    let folder = TemporaryFolder()
    private let namespace: String
    private var programs: [ConformProgram.Started] = []

    /// The reason why there cannot be a bench; `nil` if there can.
    static let obstacle: String? = {
        if geteuid() != 0 { return "only root makes network interfaces" }
        let missing = ["ip", "python3"].filter { find($0) == nil }
        return missing.isEmpty ? nil : "\(missing.joined(separator: ", ")) not installed"
    }()

    /// Returns the path of a program; `nil` if it is not installed.
    static func find(_ program: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"])
            .map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var count = 0

    init() throws {
        let number = Self.lock.withLock {
            Self.count += 1
            return Self.count
        }
        let id = "\(getpid() % 100_000)n\(number)"
        interface = "cfv\(id)"
        namespace = "cfb\(id)"
        let network = "10.\(200 + number % 50).\(getpid() % 250)"
        address = "\(network).2"
        inside = "cfi\(id)"
        try ip("netns", "add", namespace)
        try ip("link", "add", interface, "type", "veth", "peer", "name", inside)
        try ip("link", "set", inside, "netns", namespace)
        for host in [1] + (3...10) {
            try ip("address", "add", "\(network).\(host)/24", "dev", interface)
        }
        try ip("link", "set", interface, "up")
        try ip("-n", namespace, "address", "add", "\(address)/24", "dev", inside)
        try ip("-n", namespace, "link", "set", inside, "up")
        try ip("-n", namespace, "link", "set", "lo", "up")
    }

    deinit {
        let inside = (try? ConformProgram.Started(["ip", "netns", "pids", namespace], in: "/"))
        for word in inside?.wait().output.split(whereSeparator: \.isWhitespace) ?? [] {
            if let process = pid_t(word) { kill(process, SIGKILL) }
        }
        for program in programs { _ = program.wait() }
        try? ip("link", "delete", interface)
        try? ip("netns", "delete", namespace)
    }

    private func ip(_ words: String...) throws {
        let outcome = try ConformProgram.Started(["ip"] + words, in: "/").wait()
        guard outcome.status == 0 else {
            throw Failure(text: "ip \(words.joined(separator: " ")): \(outcome.errors)")
        }
    }

    /// An error of the bench.
    struct Failure: Error {
        let text: String
    }

    /// Starts a program on the bench, and waits for its line `ready`.
    func start(_ words: [String]) throws {
        let program = try ConformProgram.Started(
            ["ip", "netns", "exec", namespace] + words, in: "/")
        programs.append(program)
        let limit = ContinuousClock.now + .seconds(30)
        while !program.output.hasPrefix("ready") {
            guard .now < limit else { throw Failure(text: "\(words): \(program.output)") }
            usleep(20_000)
        }
    }

    /// Starts a board that starts and stops a reference device at commands on its serial line.
    ///
    /// - Parameter words: Further arguments of the device.
    /// - Returns: The path of the serial line.
    func startBoard(_ kind: ReferenceKind, more words: [String] = []) throws -> String {
        let line = "\(folder.path)/\(kind.name)"
        try start(
            [
                "python3", ConformProgram.root + "/Tests/EndToEndTests/Bench/board.py", line,
                ConformProgram.folder + "/conform-device", kind.name, "--host", "{host}", "--port",
                "{port}", "--config", "{config}",
            ] + kind.places.flatMap { ["--\($0.option)", "{\($0.option)}"] } + words)
        return line
    }

    /// Starts an SSH server on port 2222 of the bench.
    ///
    /// - Returns: The path of the key with which root logs in.
    func startSSH() throws -> String {
        let (host, user) = ("\(folder.path)/host", "\(folder.path)/user")
        for key in [host, user] {
            let made = try ConformProgram.Started(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], in: "/"
            ).wait()
            guard made.status == 0 else { throw Failure(text: made.errors) }
        }
        let configuration = try write(
            "sshd",
            """
            HostKey \(host)
            AuthorizedKeysFile \(user).pub
            StrictModes no
            PermitRootLogin yes
            PasswordAuthentication no
            UsePAM no
            PidFile none

            """)
        // Its folder is in a separate /run.
        let script = """
            mount -t tmpfs none /run && mkdir /run/sshd && echo ready && exec "$0" -D -p 2222 -f "$1"
            """
        try start(["sh", "-c", script, Self.find("sshd") ?? "sshd", configuration])
        let table = ["ip", "netns", "exec", namespace, "cat", "/proc/net/tcp"]
        let limit = ContinuousClock.now + .seconds(30)
        while try !ConformProgram.Started(table, in: "/").wait().output.contains(":08AE ") {
            guard .now < limit else { throw Failure(text: "sshd does not listen") }
            usleep(50_000)
        }
        return user
    }

    /// Writes a file into the folder of the test and returns its path.
    func write(_ name: String, _ text: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Returns a capture source with its placeholders replaced.
    ///
    /// `capture` becomes the program that captures on the bench, and `here` the interface on this
    /// side.
    func expanded(_ source: String) -> String {
        let script = ConformProgram.root + "/Tests/EndToEndTests/Bench/capture.py"
        return source.replacing(
            "[capture", with: "[ip, netns, exec, \(namespace), python3, \(script), \(inside)"
        ).replacing("interface: here", with: "interface: \(interface)")
    }

    /// Returns a control, in YAML, that executes a program on the bench.
    func control(_ words: String...) -> String {
        let all = ["ip", "netns", "exec", namespace] + words
        return "{command: [\(all.map { "\"\($0)\"" }.joined(separator: ", "))]}"
    }

    /// Writes the profile of a reference device at the end of a serial line and returns its path.
    func profile(_ kind: ReferenceKind, line: String, capture: String? = nil) throws -> String {
        func control(_ name: String, _ method: String, _ parameters: String?, _ answer: String)
            -> String
        {
            let members = parameters.map { ", \"params\": \($0)" } ?? ""
            return """
                  \(name):
                    serial:
                      path: \(line)
                      send: '{"jsonrpc": "2.0", "id": 1, "method": "\(method)"\(members)}'
                    answer: '\(answer)'

                """
        }
        let place = kind.listens ? "device." : ""
        let places = kind.places.map {
            ", \"\($0.option)\": \"${\($0.peer).host}:${\($0.peer).port}\""
        }
        let begin =
            "{\"host\": \"${\(place)host}\", \"port\": \"${\(place)port}\", "
            + "\"listens\": \(kind.listens), \"configuration\": ${configuration}"
            + places.joined() + "}"
        return try write(
            "\(kind.name).yaml",
            """
            name: Board
            role: \(kind.role)
            attach: {address: \(address), interface: \(interface), before: [begin], after: [end]}
            \(capture.map { "capture: \($0)" } ?? "")
            liveness: control
            features: [\(kind.features.joined(separator: ", "))]
            controls:

            """ + control("begin", "board.begin", begin, "\"result\"")
                + control("end", "board.end", nil, "\"result\"")
                + control("ping", "ping", nil, "\"jsonrpc\"")
                + kind.controls.map { control($0, $0, "${arguments}", "\"result\"") }.joined())
    }
}

/// A kind of the reference device, described for a profile of the bench.
struct ReferenceKind: Sendable {
    let name: String
    let role: String
    var listens = false
    /// Options that contain the addresses of further peers.
    var places: [(option: String, peer: String)] = []

    private var builtIn: DeviceProfile? {
        .reference(role: role, executable: "", mutant: nil)
    }
    var features: [String] { builtIn?.features.sorted() ?? [] }
    /// The controls that an attached device has too: all except `stop`.
    var controls: [String] { builtIn?.controls.keys.filter { $0 != "stop" }.sorted() ?? [] }

    static let all = [app, client, headUnit, profileApp, peripheral]
    static let app = ReferenceKind(name: "sdl-app", role: "sdl.app")
    static let client = ReferenceKind(name: "session-client", role: "session.client")
    static let headUnit = ReferenceKind(name: "head-unit", role: "sdl.head-unit", listens: true)
    static let profileApp = ReferenceKind(
        name: "profile-app", role: "profile.app", places: [("report", "report"), ("bus", "bus")])
    static let peripheral = ReferenceKind(
        name: "profile-peripheral", role: "profile.peripheral")
}
