import Glibc
import System
import Wire

/// Runs a head unit on a listening socket and the process's standard streams.
///
/// It runs in the calling thread.
public struct HeadUnitLoop: ~Copyable {
    private enum NoTimer: Hashable {}

    private var headUnit: SDLHeadUnit
    private let archives: ArchiveFolder?
    private let reactor: Reactor<HeadUnitLink, NoTimer>

    /// Creates a loop that listens.
    ///
    /// - Parameters:
    ///   - headUnit: The head unit.
    ///   - address: Where it listens.
    ///   - archives: The folder in which it stores its data; `nil` for none.
    ///   - input: The descriptor that control requests are read from.
    ///   - output: The descriptor that log lines and answers are written to.
    ///   - hangAfter: Milliseconds after which it hangs; `nil` for never.
    /// - Throws: `ListenError` if nothing can listen there.
    public init(
        _ headUnit: SDLHeadUnit, address: NumericAddress, archives: ArchiveFolder? = nil,
        input: Int32 = STDIN_FILENO,
        output: Int32 = STDOUT_FILENO, hangAfter: Int? = nil
    ) throws(ListenError) {
        self.headUnit = headUnit
        self.archives = archives
        reactor = Reactor(input: input, output: output, hangAfter: hangAfter)
        var count = 0
        do throws(SystemError) {
            try reactor.listen(on: address) {
                count += 1
                return count
            }
        } catch {
            throw ListenError(
                description: "cannot listen on \(address.text) port \(address.port): \(error)")
        }
    }

    /// Runs until the head unit ends and returns its exit code.
    public mutating func run() -> Int32 {
        var input = HeadUnitInput.listening
        while true {
            for action in headUnit.handle(input) {
                if let code = perform(action) { return code }
            }
            input = nextInput()
        }
    }

    /// Carries out an action; returns the exit code if the action ends the process.
    private func perform(_ action: HeadUnitAction) -> Int32? {
        switch action {
        case .send(let link, let bytes): reactor.send(bytes, on: link)
        case .close(let link): reactor.close(link)
        case .log(let line): reactor.write(line.value)
        case .answer(let answer): reactor.write(answer)
        case .keep(let kept): keep(kept)
        case .exit(let code): return code
        case .harm(let harm): reactor.suffer(harm)
        }
        return nil
    }

    private func keep(_ kept: Value) {
        do throws(SystemError) {
            try archives?.keep(kept)
        } catch {
            let reason: [Value.Member] = [.init("reason", .string("\(error)"))]
            reactor.write(LogLine(HeadUnitEvent.notKept, reason).value)
        }
    }

    private func nextInput() -> HeadUnitInput {
        while true {
            switch reactor.next() {
            case .accepted(let link): return .accepted(link)
            case .received(let link, let bytes): return .received(link, bytes)
            case .disconnected(let link, let reason): return .disconnected(link, reason)
            case .line(let line): return .controlLine(line)
            case .terminate: return .terminate
            case .connected, .connectFailed, .timerFired: break
            }
        }
    }
}

/// An address on which nothing can listen, with the reason.
public struct ListenError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address and the reason.
    public let description: String
}

extension ArchiveFolder {
    /// The data that a head unit has stored before a restart; `nil` if none can be read.
    public var kept: Value? {
        guard case .bytes(let bytes) = read(Self.headUnit) else { return nil }
        return try? Value(json: bytes.span.bytes)
    }

    /// Stores the data of a head unit.
    func keep(_ kept: Value) throws(SystemError) {
        try store(Array(kept.jsonText().utf8), for: Self.headUnit)
    }

    private static let headUnit = ArchiveKey(
        appID: "head unit", acknowledgement: .object([]), address: "")
}
