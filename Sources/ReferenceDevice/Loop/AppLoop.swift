import Glibc
import Protocols

/// Runs a life cycle on a real socket, a real clock and the process's standard streams, in the
/// calling thread.
public struct AppLoop: ~Copyable {
    /// The connections of an app.
    private enum Connection { case headUnit }

    private let address: NumericAddress
    private let archives: ArchiveFolder?
    private var lifecycle: SDLAppLifecycle
    private let reactor: Reactor<Connection, LifecycleTimer>
    private var decoder = SDL.StreamDecoder()
    /// How many bytes of the connection have been decoded.
    private var received: UInt64 = 0
    private var inputs: [LifecycleInput] = [.started]
    private var exitCode: Int32?

    /// Makes a loop that has not run.
    ///
    /// - Parameters:
    ///   - lifecycle: The app.
    ///   - address: Where the head unit listens.
    ///   - archives: Where data is stored; nowhere if `nil`.
    ///   - input: The descriptor that control requests are read from.
    ///   - output: The descriptor that log lines and answers are written to.
    ///   - scale: How fast its timers run.
    ///   - hangAfter: Milliseconds after which it does nothing any more; never if `nil`.
    public init(
        _ lifecycle: SDLAppLifecycle, address: NumericAddress, archives: ArchiveFolder? = nil,
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, scale: TimeScale = .one,
        hangAfter: Int? = nil
    ) {
        self.lifecycle = lifecycle
        self.archives = archives
        self.address = address
        reactor = Reactor(input: input, output: output, scale: scale, hangAfter: hangAfter)
    }

    /// Runs until the app ends and returns its exit code.
    public mutating func run() -> Int32 {
        while true {
            settle()
            if let exitCode { return exitCode }
            take(reactor.next())
        }
    }

    /// Hands all inputs to the life cycle, those too that its actions bring about.
    private mutating func settle() {
        while !inputs.isEmpty, exitCode == nil {
            for action in lifecycle.handle(inputs.removeFirst()) { perform(action) }
        }
    }

    private mutating func take(_ event: Reactor<Connection, LifecycleTimer>.Event) {
        switch event {
        case .connected: inputs.append(.connected)
        case .connectFailed(_, let reason): inputs.append(.connectFailed(reason))
        case .received(_, let bytes): decode(bytes)
        case .disconnected(_, let reason): inputs.append(.disconnected(reason))
        case .timerFired(let timer): inputs.append(.timerFired(timer))
        case .line(let line): inputs.append(.controlLine(line))
        case .terminate: inputs.append(.terminate)
        }
    }

    private mutating func perform(_ action: LifecycleAction) {
        switch action {
        case .connect:
            decoder = SDL.StreamDecoder()
            received = 0
            reactor.connect(.headUnit, to: address)
        case .send(let bytes): reactor.send(bytes, on: .headUnit)
        case .close: reactor.close(.headUnit)
        case .startTimer(let timer, let milliseconds):
            reactor.start(timer, milliseconds: milliseconds)
        case .stopTimer(let timer): reactor.stop(timer)
        case .readArchive(let key):
            inputs.append(.archiveRead(archives?.read(key) ?? ArchiveReading.none))
        case .storeArchive(let key, let bytes):
            change { (folder) throws(SystemError) in try folder.store(bytes, for: key) }
        case .removeArchive(let key):
            change { (folder) throws(SystemError) in try folder.remove(key) }
        case .log(let line): reactor.write(line.value)
        case .answer(let answer): reactor.write(answer)
        case .exit(let code): exitCode = code
        case .crash: reactor.crash()
        }
    }

    /// Changes an archive; a failure is told and does not end the app.
    private func change(_ body: (ArchiveFolder) throws(SystemError) -> Void) {
        guard let archives else { return }
        do throws(SystemError) {
            try body(archives)
        } catch {
            let line = LogLine<LifecycleEvent>(
                .archiveFailed, [.init("reason", .string(error.description))])
            reactor.write(line.value)
        }
    }

    private mutating func decode(_ bytes: [UInt8]) {
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, at: received, into: &messages)
        received += UInt64(bytes.count)
        inputs += messages.compactMap { $0.content as? SDL.Message }.map(LifecycleInput.received)
    }
}
