import Glibc
import SuiteLanguage

/// The person at the device, who carries out what no program can, and confirms it.
public struct Operator: Sendable, Hashable {
    /// The environment variable with the operator's name, or `none`.
    public static let variable = "CONFORM_OPERATOR"

    /// The name in reports.
    public var name: String
    /// The descriptor for the person's lines.
    public var input: Int32
    /// The descriptor for sentences that are shown.
    public var output: Int32

    /// Creates an operator.
    public init(name: String, input: Int32, output: Int32) {
        self.name = name
        self.input = input
        self.output = output
    }

    /// The result of checking for a line.
    public enum Reading {
        case line
        case nothing
        case end
    }

    /// The most bytes that are read for one line; the rest of a longer one is another line.
    private static let lineMax = 4096

    /// Shows a text, and discards what was typed at a terminal before, which is no answer to it.
    public func show(_ text: String) {
        tcflush(input, TCIFLUSH)
        var rest = Array("\n\(text)\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Checks whether a line has arrived; its content does not matter.
    ///
    /// Other programs may share the input, so it cannot be made non-blocking, and no byte is read
    /// after the line.
    public func currentReading() -> Reading {
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

/// A sentence that a person carries out; it is done when the person has confirmed it.
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

    /// A description for the log.
    var description: String { "asks \(person?.name ?? "nobody"): \(sentence)" }

    var descriptors: [Int32] { person.map { [$0.input] } ?? [] }

    func start() throws(DeviceError) {
        guard let person else { throw nobody("there is no operator") }
        person.show(">>> \(sentence)\n    Press Enter when it is done.")
    }

    func advance(_ print: (String) -> Void) throws(DeviceError) -> Bool {
        switch person?.currentReading() {
        case .nothing: return false
        case .line:
            print("confirmed by \(person?.name ?? "")")
            return true
        case .end, nil: throw nobody("the operator's input has ended")
        }
    }

    private func nobody(_ why: String) -> DeviceError {
        DeviceError(
            .controlFailed, "control \(name) (\"\(sentence)\"): \(why)",
            advice: "run it at a terminal, or leave such cases out with \(Operator.variable)=none")
    }
}
