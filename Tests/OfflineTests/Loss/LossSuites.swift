import BuiltInProtocols
import Trace
import Wire

/// Suites for one capture that demand exactly its messages, or something else.
struct LossSuites {
    /// A message of the capture.
    private struct Line {
        let name: String
        let isFromDevice: Bool
        /// Seconds since the previous line.
        let gap: Double
    }

    /// A suite for the capture, with its name.
    struct Written {
        let name: String
        let text: String
    }

    private let lines: [Line]
    private let head: String
    /// The endpoint that was called first.
    let callee: Endpoint?

    /// Reads the messages of a protocol from a capture whose caller is the device.
    ///
    /// - Parameters:
    ///   - protocols: The beginnings of the names of messages that are judged.
    ///   - role: The device's role.
    ///   - peer: The peer's declaration without its port.
    init(capture path: String, protocols: [String], role: String, peer: String) throws {
        let messages = try RecordedTrace(contentsOf: path, options: TraceOptions(.builtIn)).messages
        let callee = messages.first { $0.name == "tcp.SYN" }?.destination
        self.callee = callee
        let judged = messages.filter { message in protocols.contains { message.name.hasPrefix($0) }
        }
        var last = judged.first?.time
        lines = judged.map { message in
            defer { last = message.time }
            let gap = last.map { (message.time - $0) / .seconds(1) } ?? 0
            return Line(
                name: message.name, isFromDevice: message.destination == callee, gap: gap)
        }
        head = """
            conform: 1
            suite: loss
            title: Made for a capture
            requirements: [catalogue.yaml]
            device: {role: \(role)}
            peers:
              peer: {is: \(peer), port: \(callee?.port ?? 0)}
            """
    }

    private func text(
        _ steps: [String], unexpected: String = "fail", quiet: Double = 0, never: [String] = []
    ) -> String {
        head + "\n"
            + "defaults: {within: 60s, tolerance: 1ms, unexpected: \(unexpected), "
            + "quiet: \(Self.milliseconds(quiet)), timeout: 10m}\n"
            + "cases:\n  - id: case\n    title: A case\n    checks: [R-1]\n    steps:\n"
            + steps.joined()
            + (never.isEmpty ? "" : "    never:\n" + never.map { "      - \($0)\n" }.joined())
    }

    private static func milliseconds(_ seconds: Double) -> String {
        "\(Int((seconds * 1000).rounded(.down)))ms"
    }

    private func step(_ line: Line, _ more: String...) -> String {
        "      - expect: \(line.name)\n" + (line.isFromDevice ? "" : "        from: peer\n")
            + more.map { "        \($0)\n" }.joined()
    }

    private var steps: [String] { lines.map { step($0) } }

    /// Returns the suites that can be written for the capture, each with a name.
    func all(absent: String, field: String) -> [Written] {
        // The message of the device after the longest silence, and one near the middle.
        guard lines.count > 5,
            let late = lines.indices.dropFirst(2).filter({ lines[$0].isFromDevice })
                .max(by: { lines[$0].gap < lines[$1].gap }),
            let middle = lines.indices.filter({ lines[$0].isFromDevice })
                .min(by: { abs($0 - lines.count / 2) < abs($1 - lines.count / 2) })
        else { return [] }
        let gap = lines[late].gap
        let half = Self.milliseconds(gap / 2)
        let span = lines.dropFirst(3).reduce(0) { $0 + $1.gap }
        let missing = "      - {expect: \(absent), within: \(half)}\n"
        func replaced(_ index: Int, by step: String) -> [String] {
            var steps = steps
            steps[index] = step
            return steps
        }
        func without(_ index: Int) -> [String] {
            var steps = steps
            steps.remove(at: index)
            return steps
        }
        let start = Array(steps.prefix(3))
        let before = Array(steps.prefix(late))
        return [
            Written(name: "strict", text: text(steps)),
            Written(name: "strict, then silence", text: text(before, quiet: gap * 0.8)),
            Written(name: "strict, no silence", text: text(before, quiet: gap * 1.01)),
            Written(
                name: "nothing before half the wait",
                text: text(replaced(late, by: step(lines[late], "after: \(half)")))),
            Written(
                name: "within half the wait",
                text: text(replaced(late, by: step(lines[late], "within: \(half)")))),
            Written(
                name: "wrong field",
                text: text(replaced(middle, by: step(lines[middle], "where: {\(field)}")))),
            Written(name: "one step too few", text: text(without(middle))),
            Written(
                name: "one step too many",
                text: text(replaced(middle, by: missing + step(lines[middle])))),
            Written(name: "never came", text: text(before + [missing], unexpected: "allow")),
            Written(
                name: "never, kept",
                text: text(start, unexpected: "allow", quiet: span * 0.9, never: [absent])),
            Written(
                name: "never, broken",
                text: text(
                    start, unexpected: "allow", quiet: span * 0.9, never: [lines[middle].name])),
        ]
    }
}

extension LossSuites {
    /// Suites of one rule each: what follows a message, what never comes, and a state that counts
    /// the messages of the device; each as the capture has it, and otherwise.
    func rules(absent: String) -> [Written] {
        guard lines.count > 5, let last = lines.lastIndex(where: \.isFromDevice),
            let middle = lines[..<(lines.count / 2)].lastIndex(where: \.isFromDevice)
        else { return [] }
        let counted = lines[middle].name
        let count = lines[..<last].count { $0.isFromDevice && $0.name == counted }
        let next = lines[lines.index(after: middle)...last].first(where: \.isFromDevice)
        let trigger = "whenever: {message: \(counted), from: device}"
        let end = "whenever: {message: \(lines[last].name), from: device}\nif: {ended: false}"
        func suite(_ name: String, _ rule: String) -> Written {
            let text = """
                \(head)
                defaults: {within: 60s, tolerance: 1ms}
                state:
                  seen: {starts: 0, on: {message: \(counted), from: device, count: 1}}
                  ended: {starts: false, on: {message: tcp.FIN, set: true}}
                rules:
                  - id: rule
                    title: A rule
                    checks: [R-1]
                    \(rule.replacing("\n", with: "\n    "))
                cases: [{id: case, checks: [R-1], steps: [{expect: \(counted)}]}]
                """
            return Written(name: "rule, \(name)", text: text)
        }
        let follows = next?.name ?? lines[last].name
        return [
            suite("follows", "\(trigger)\nthen:\n  - expect: \(follows)"),
            suite("does not follow", "\(trigger)\nthen:\n  - {expect: \(absent), within: 1ms}"),
            suite("never", "whenever: beginning\nnever: [\(absent)]"),
            suite("never, broken", "whenever: beginning\nnever: [\(counted)]"),
            suite("counts", "\(end)\nholds: {seen: {max: \(count)}}"),
            suite("counts, broken", "\(end)\nholds: {seen: {min: \(count + 1)}}"),
        ]
    }

    /// Schedules and silences of attempts, in addition to those in the suites of the project.
    static let schedules = """
        conform: 1
        suite: schedules
        title: Attempts
        requirements: [catalogue.yaml]
        device: {role: session.client}
        peers: {server: {is: tcp.server}}
        defaults: {within: 1m, tolerance: 30ms 10%, quiet: 0s, timeout: 10m}
        ignore: [tcp.data]
        cases:
          - id: own-three-waits
            title: The first waits
            checks: [R-1]
            preamble: [{expect: tcp.SYN}]
            steps:
              - backoff: {model: linear, first: 1s, step: 1s, cap: 9s, attempts: 3, early: 1ms}
          - id: own-cap-too-low
            title: A cap that is too low
            checks: [R-1]
            preamble: [{expect: tcp.SYN}]
            steps:
              - backoff: {model: linear, first: 1s, step: 1s, cap: 4s, attempts: 7, early: 1ms}
          - id: own-short-silence
            title: Nothing for a while after the third attempt
            checks: [R-1]
            steps:
              - repeat: {times: 3, steps: [{expect: tcp.SYN}]}
            never: [tcp.SYN]
            quiet: 900ms
          - id: own-long-silence
            title: Nothing for long after the third attempt
            checks: [R-1]
            steps:
              - repeat: {times: 3, steps: [{expect: tcp.SYN}]}
            never: [tcp.SYN]
            quiet: 4s
          - id: own-refusals
            title: Attempt and refusal
            checks: [R-1]
            steps:
              - repeat:
                  times: 6
                  steps: [{expect: tcp.SYN}, {expect: tcp.refused, from: server, within: 1s}]
        """
}
