import Glibc
import Suites

/// The person beside the device, who does what no program can, and confirms it.
public struct Operator: Sendable, Hashable {
    /// The name that reports have.
    public var name: String
    /// Where the person's lines come from.
    public var input: Int32
    /// Where sentences are shown.
    public var output: Int32

    /// Makes an operator.
    public init(name: String, input: Int32, output: Int32) {
        self.name = name
        self.input = input
        self.output = output
    }

    /// What a look for a line brought.
    public enum Reading {
        case line
        case nothing
        case end
    }

    /// Bytes that are read at most for one line; the rest of a longer one is another line.
    private static let lineMax = 4096

    /// Shows a text; what was typed at a terminal before is not an answer to it.
    public func show(_ text: String) {
        tcflush(input, TCIFLUSH)
        var rest = Array("\n\(text)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Looks whether a line has come; what is in it does not matter.
    ///
    /// The input may be shared with other programs, so that it blocks: no byte is read after the line.
    public func look() -> Reading {
        for _ in 0..<Self.lineMax {
            var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 0) > 0 else { return .nothing }
            var byte: UInt8 = 0
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .end }
            if byte == UInt8(ascii: "\n") { return .line }
        }
        return .line
    }
}

/// A sentence that a person does; it is done when the person has confirmed it.
final class OperatorTask: ControlTask {
    let resource: String? = "operator"
    let isToBeRetried = false
    private let name: String
    private let sentence: String
    private let person: Operator?

    init(_ name: String, _ sentence: String, by person: Operator?) {
        self.name = name
        self.sentence = sentence
        self.person = person
    }

    /// What it does, for the log.
    var description: String { "asks \(person?.name ?? "nobody"): \(sentence)" }

    var descriptors: [Int32] { person.map { [$0.input] } ?? [] }

    func start() throws(DeviceError) {
        guard let person else { throw nobody("there is no operator") }
        person.show(">>> \(sentence)\n    Press Enter when it is done.")
    }

    func advance(_ print: (String) -> Void) throws(DeviceError) -> Bool {
        switch person?.look() {
        case .nothing: return false
        case .line:
            print("confirmed by \(person?.name ?? "")")
            return true
        case .end, nil: throw nobody("the operator's input is at its end")
        }
    }

    private func nobody(_ why: String) -> DeviceError {
        DeviceError(
            .controlFailed, "control \(name) (\"\(sentence)\"): \(why)",
            advice: "run it at a terminal, or leave such cases out with --operator none")
    }
}
