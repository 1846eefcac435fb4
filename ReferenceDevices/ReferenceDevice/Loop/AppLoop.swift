import Glibc
import SDL
import System
import Wire

/// Runs a life cycle on a real socket, a real clock and the process's standard streams.
///
/// It runs in the calling thread.
public struct AppLoop: ~Copyable {
    /// The connections of an app.
    private enum Connection: Sendable, Hashable {
        case headUnit
        case accessory(AccessoryTransport.Connection)
    }

    /// The timers of an app and of its transport.
    private enum Timer: Sendable, Hashable {
        case app(LifecycleTimer)
        case accessory(AccessoryTransport.Timer)
    }

    private let address: NumericAddress
    private let archives: ArchiveFolder?
    private var lifecycle: SDLAppLifecycle
    private let reactor: Reactor<Connection, Timer>
    /// The transport over accessories; `nil` for an app that connects to a head unit itself.
    private var transport: AccessoryTransport?
    private let launcher: AppLauncher
    private var decoder = SDL.StreamDecoder()
    /// The number of bytes of the connection that have been decoded.
    private var received: UInt64 = 0
    private var inputs: [LifecycleInput] = [.started]
    private var exitCode: Int32?

    /// Creates a loop that has not run.
    ///
    /// - Parameters:
    ///   - lifecycle: The app.
    ///   - address: Where the head unit listens.
    ///   - archives: Where data is stored; `nil` for nowhere.
    ///   - input: The descriptor that control requests are read from.
    ///   - output: The descriptor that log lines and answers are written to.
    ///   - carrier: The carrier of accessories, for an app that reaches head units over them.
    ///   - scale: How fast its timers run.
    ///   - hangAfter: Milliseconds after which it hangs; `nil` for never.
    public init(
        _ lifecycle: SDLAppLifecycle, address: NumericAddress, archives: ArchiveFolder? = nil,
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
        carrier: CarrierKind = .bus, scale: ClockRate = .one,
        hangAfter: Int? = nil
    ) {
        self.lifecycle = lifecycle
        self.archives = archives
        self.address = address
        let mutant = lifecycle.rules.mutant
        switch lifecycle.configuration.transport {
        case .tcp: transport = nil
        case .iap:
            transport = AccessoryTransport(
                settings: lifecycle.configuration.iap, carrier: carrier.carrier, mutant: mutant)
        }
        launcher = AppLauncher(address: address, mutant: mutant)
        reactor = Reactor(input: input, output: output, scale: scale, hangAfter: hangAfter)
    }

    /// Runs until the app ends and returns its exit code.
    public mutating func run() -> Int32 {
        while true {
            settle()
            if let exitCode {
                launcher.stop()
                return exitCode
            }
            consume(reactor.next())
        }
    }

    /// Passes all inputs to the life cycle, including those that its actions produce.
    private mutating func settle() {
        while !inputs.isEmpty, exitCode == nil {
            for action in lifecycle.handle(inputs.removeFirst()) { perform(action) }
        }
    }

    private mutating func consume(_ event: Reactor<Connection, Timer>.Event) {
        switch event {
        case .started, .accepted: break
        case .connected(.headUnit): inputs.append(.connected)
        case .connectFailed(.headUnit, let reason): inputs.append(.connectFailed(reason))
        case .received(.headUnit, let bytes): decode(bytes)
        case .disconnected(.headUnit, let reason): inputs.append(.disconnected(reason))
        case .timerFired(.app(let timer)): inputs.append(.timerFired(timer))
        case .connected(.accessory(let id)): feed(.connected(id))
        case .connectFailed(.accessory(let id), let reason): feed(.connectFailed(id, reason))
        case .received(.accessory(let id), let bytes): feed(.received(id, bytes))
        case .disconnected(.accessory(let id), let reason): feed(.disconnected(id, reason))
        case .timerFired(.accessory(let timer)): feed(.timerFired(timer))
        case .controlLine(let line): inputs.append(.controlLine(line))
        case .terminate: inputs.append(.terminate)
        }
    }

    private mutating func perform(_ action: LifecycleAction) {
        switch action {
        case .connect:
            startDecoding()
            if transport == nil { reactor.connect(.headUnit, to: address) }
            feed(.app(.connect))
        case .send(let bytes):
            reactor.send(bytes, on: .headUnit)
            feed(.app(.send(bytes)))
        case .close:
            reactor.close(.headUnit)
            feed(.app(.close))
        case .startTimer(let timer, let milliseconds):
            reactor.start(.app(timer), milliseconds: milliseconds)
        case .stopTimer(let timer): reactor.stop(.app(timer))
        case .readArchive(let key):
            inputs.append(.archiveRead(archives?.read(key) ?? ArchiveReading.none))
        case .storeArchive(let key, let bytes):
            attempt(.archiveFailed) { () throws(SystemError) in try archives?.store(bytes, for: key)
            }
        case .removeArchive(let key):
            attempt(.archiveFailed) { () throws(SystemError) in try archives?.remove(key) }
        case .log(let line): reactor.write(line.value)
        case .answer(let answer): reactor.write(answer)
        case .startApp(let document):
            feed(.app(.otherAppStarts))
            attempt(.otherAppFailed) { () throws(SystemError) in try launcher.start(document) }
        case .exit(let code): exitCode = code
        case .crash: reactor.crash()
        case .harm(let harm): reactor.suffer(harm)
        }
    }

    /// Performs an operation that the system may refuse; logs a failure and lets the app continue.
    private func attempt(_ failure: LifecycleEvent, _ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body()
        } catch {
            let line = LogLine(failure, [.init("reason", .string(error.description))])
            reactor.write(line.value)
        }
    }

    private mutating func startDecoding() {
        decoder = SDL.StreamDecoder()
        received = 0
    }

    private mutating func decode(_ bytes: [UInt8]) {
        if lifecycle.rules.mutant == .needsWholeFrames, bytes.count < 8 { return }
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, at: received, into: &messages)
        received += UInt64(bytes.count)
        inputs += messages.compactMap { $0.content as? SDL.Message }.map(LifecycleInput.received)
    }
}

// MARK: - Accessories

extension AppLoop {
    /// Passes an input to the transport, if there is one, and performs its actions.
    private mutating func feed(_ input: AccessoryTransport.Input) {
        let now = Duration.nanoseconds(reactor.clock.now)
        for action in transport?.handle(input, at: now) ?? [] { perform(action) }
    }

    private mutating func perform(_ action: AccessoryTransport.Action) {
        switch action {
        case .connect(let id): reactor.connect(.accessory(id), to: address)
        case .send(let bytes, let id): reactor.send(bytes, on: .accessory(id))
        case .close(let id): reactor.close(.accessory(id))
        case .startTimer(let timer, let milliseconds):
            reactor.start(.accessory(timer), milliseconds: milliseconds)
        case .stopTimer(let timer): reactor.stop(.accessory(timer))
        case .log(let line): reactor.write(line)
        case .reachable: inputs.append(.reachable)
        case .appConnected:
            startDecoding()
            inputs.append(.connected)
        case .appConnectFailed(let reason): inputs.append(.connectFailed(reason))
        case .deliver(let bytes): decode(bytes)
        case .appDisconnected(let reason): inputs.append(.disconnected(reason))
        }
    }
}
