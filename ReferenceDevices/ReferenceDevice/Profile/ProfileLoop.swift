import Glibc
import System
import Wire

/// Runs a device with a Bluetooth controller on real sockets, a real clock and standard streams.
///
/// It runs in the calling thread.
public struct ProfileLoop<Machine: ProfileMachine>: ~Copyable {
    private let controller: NumericAddress
    private let reports: NumericAddress?
    private let accessories: NumericAddress?
    private var app: Machine
    private let reactor: Reactor<ProfileLink, ProfileTimer>
    private var exitCode: Int32?

    /// Creates a loop that has not run.
    ///
    /// - Parameters:
    ///   - app: The device.
    ///   - controller: Where its controller listens.
    ///   - reports: The address to which it reports; `nil` for none.
    ///   - accessories: The address of the accessory bus; `nil` for none.
    ///   - input: The descriptor that control requests are read from.
    ///   - output: The descriptor that log lines and answers are written to.
    ///   - scale: How fast the app's timers run.
    ///   - hangAfter: Milliseconds after which it hangs; `nil` for never.
    public init(
        _ app: Machine, controller: NumericAddress, reports: NumericAddress? = nil,
        accessories: NumericAddress? = nil,
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, scale: ClockRate = .one,
        hangAfter: Int? = nil
    ) {
        self.app = app
        self.controller = controller
        self.reports = reports
        self.accessories = accessories
        reactor = Reactor(input: input, output: output, scale: scale, hangAfter: hangAfter)
    }

    /// Runs until the app ends and returns its exit code.
    public mutating func run() -> Int32 {
        handle(.started)
        while true {
            if let exitCode { return exitCode }
            switch reactor.next() {
            case .accepted: break
            case .connected(let link): handle(.connected(link))
            case .connectFailed(let link, let reason), .disconnected(let link, let reason):
                handle(.lost(link, reason))
            case .received(let link, let bytes): handle(.received(link, bytes))
            case .timerFired(let timer): handle(.timerFired(timer))
            case .line(let line): handle(.controlLine(line))
            case .terminate: handle(.terminate)
            }
        }
    }

    private mutating func handle(_ input: ProfileInput) {
        for action in app.handle(input, at: .nanoseconds(reactor.clock.now))
        where exitCode == nil { perform(action) }
    }

    private mutating func perform(_ action: ProfileAction) {
        switch action {
        case .connect(.controller): reactor.connect(.controller, to: controller)
        case .connect(.reports):
            if let reports { reactor.connect(.reports, to: reports) }
        case .connect(.accessories(let connection)):
            if let accessories {
                reactor.connect(.accessories(connection), to: accessories)
            } else {
                handle(.lost(.accessories(connection), "no accessory bus"))
            }
        case .close(let link): reactor.close(link)
        case .send(let link, let bytes): reactor.send(bytes, on: link)
        case .startTimer(let timer, let milliseconds):
            reactor.start(timer, milliseconds: milliseconds)
        case .stopTimer(let timer): reactor.stop(timer)
        case .log(let line): reactor.write(line)
        case .answer(let answer): reactor.write(answer)
        case .exit(let code): exitCode = code
        case .crash: reactor.crash()
        }
    }
}
