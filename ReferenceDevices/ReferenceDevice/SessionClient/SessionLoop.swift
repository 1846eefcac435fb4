import Glibc
import System
import Wire

/// Runs a session client on real sockets, a real clock and the process's standard streams.
///
/// It runs in the calling thread.
public struct SessionLoop: ~Copyable {
    private let address: NumericAddress
    private var client: SessionClient
    private let reactor: Reactor<Int, SessionTimer>
    private var exitCode: Int32?

    /// Creates a loop that has not run.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - address: Where the server listens.
    ///   - input: The descriptor that control requests are read from.
    ///   - output: The descriptor that log lines and answers are written to.
    ///   - scale: How fast the client's timers run.
    ///   - hangAfter: Milliseconds after which it hangs; `nil` for never.
    public init(
        _ client: SessionClient, address: NumericAddress, input: Int32 = STDIN_FILENO,
        output: Int32 = STDOUT_FILENO, scale: ClockRate = .one, hangAfter: Int? = nil
    ) {
        self.client = client
        self.address = address
        reactor = Reactor(input: input, output: output, scale: scale, hangAfter: hangAfter)
    }

    /// Runs until the client ends and returns its exit code.
    public mutating func run() -> Int32 {
        handle(.started)
        while true {
            if let exitCode { return exitCode }
            consume(reactor.next())
        }
    }

    private mutating func consume(_ event: Reactor<Int, SessionTimer>.Event) {
        switch event {
        case .accepted: break
        case .connected(let number): handle(.connected(number))
        case .connectFailed(let number, let reason): handle(.connectFailed(number, reason))
        case .received(let number, let bytes): handle(.received(number, bytes))
        case .disconnected(let number, let reason): handle(.disconnected(number, reason))
        case .timerFired(let timer): handle(.timerFired(timer))
        case .line(let line): handle(.controlLine(line))
        case .terminate: handle(.terminate)
        }
    }

    private mutating func handle(_ input: SessionInput) {
        for action in client.handle(input, at: reactor.clock.now) where exitCode == nil {
            perform(action)
        }
    }

    private mutating func perform(_ action: SessionAction) {
        switch action {
        case .connect(let number): reactor.connect(number, to: address)
        case .send(let number, let bytes): reactor.send(bytes, on: number)
        case .close(let number): reactor.close(number)
        case .startTimer(let timer, let deadline): reactor.start(timer, deadline: deadline)
        case .stopTimer(let timer): reactor.stop(timer)
        case .suspend: reactor.suspend()
        case .resume: reactor.resume()
        case .log(let line): reactor.write(line.value)
        case .answer(let answer): reactor.write(answer)
        case .exit(let code): exitCode = code
        case .crash: reactor.crash()
        }
    }
}
