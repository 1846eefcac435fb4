import Glibc
import System
import Wire

/// The event source of a device's loop: connections, timers, control channel and end signals.
///
/// Events are returned one by one, in the order in which they were seen. `ConnectionID` identifies
/// the connections of a device, `Timer` its timers. Events of a connection that has been closed
/// since, or of a timer that has been stopped, are not returned any more.
final class Reactor<ConnectionID: Sendable & Hashable, Timer: Sendable & Hashable> {
    typealias Event = DeviceInput<ConnectionID, Timer>

    /// The clock of the timers.
    let clock: DeviceClock
    private let channel: LineChannel
    private var lines: LineChannel
    private var connections: [ConnectionID: TCPConnection] = [:]
    /// The TLS of connections that are protected.
    private var protections: [ConnectionID: TLSClient] = [:]
    /// Returns the TLS of the next connection; `nil` if it is not protected.
    var protects: () -> TLSClient? = { nil }
    private var listener: ListeningSocket?
    private var nextName: () -> ConnectionID?
    private var timers = Timers<Timer>()
    private var events: [Event] = []
    /// Whether connections and timers are suspended.
    private var isSuspended = false
    private let hangTime: ContinuousClock.Instant?
    /// What a mutant keeps without need.
    private var kept: [[UInt8]] = []
    /// Whether a mutant never waits.
    private var isRestless = false

    /// Creates a reactor over open descriptors, which the caller still owns.
    ///
    /// - Parameters:
    ///   - input: Where control requests are read from.
    ///   - output: Where log lines and answers are written to.
    ///   - scale: How fast the timers run.
    ///   - hangAfter: Real milliseconds after which it hangs; `nil` for never.
    init(input: Int32, output: Int32, scale: ClockRate = .one, hangAfter: Int? = nil) {
        clock = DeviceClock(scale: scale)
        channel = LineChannel(input: input, output: output)
        lines = channel
        nextName = { nil }
        hangTime = hangAfter.map { .now + .milliseconds($0) }
    }

    // MARK: Actions

    /// Writes a line: a log line or an answer.
    func write(_ line: Value) { channel.write(line: line.jsonText()) }

    /// Starts a timer, or restarts it if it is running.
    func start(_ timer: Timer, milliseconds: Int) {
        start(timer, deadline: clock.now + Int64(milliseconds) * 1_000_000)
    }

    /// Starts a timer that fires at a time of `clock`.
    func start(_ timer: Timer, deadline: Int64) {
        stop(timer)
        timers.start(timer, deadline: deadline)
    }

    /// Stops a timer.
    func stop(_ timer: Timer) {
        timers.stop(timer)
        events.removeAll { if case .timerFired(timer) = $0 { true } else { false } }
    }

    /// Accepts connections from now on.
    ///
    /// - Parameters:
    ///   - address: Where to listen.
    ///   - nextName: Returns the identifier of the next connection.
    func listen(
        on address: NumericAddress, naming nextName: @escaping () -> ConnectionID
    ) throws(SystemError) {
        listener = try ListeningSocket(on: address)
        self.nextName = nextName
    }

    /// Starts to connect; closes an existing connection with that identifier first.
    func connect(_ id: ConnectionID, to address: NumericAddress) {
        close(id)
        do throws(SystemError) {
            connections[id] = try TCPConnection(to: address)
            protections[id] = protects()
        } catch {
            events.append(.connectFailed(id, error.description))
        }
    }

    /// Sends on a connection; does nothing if there is none.
    func send(_ bytes: [UInt8], on id: ConnectionID) {
        sendRaw(protections[id].map { $0.send(bytes) } ?? bytes, on: id)
    }

    private func sendRaw(_ bytes: [UInt8], on id: ConnectionID) {
        do throws(SystemError) {
            try connections[id]?.send(bytes)
        } catch {
            lose(id, error.description)
        }
    }

    /// Closes a connection after the bytes sent before are out.
    func close(_ id: ConnectionID) {
        if let protection = protections[id] { sendRaw(protection.close(), on: id) }
        connections[id]?.prepareToClose()
        connections[id] = nil
        protections[id] = nil
        events.removeAll { $0.link == id }
    }

    /// Suspends connections and timers, so that only the control channel and signals are served.
    func suspend() { isSuspended = true }

    /// Resumes after `suspend`; bytes that arrived on the connections in the meantime come first.
    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        for (id, connection) in connections where connection.isConnected {
            while connections[id] != nil, read(connection, id) {}
        }
    }

    /// Ends the process like an app without a crash handler: by SIGABRT, at once.
    func crash() {
        signal(SIGABRT, SIG_DFL)
        abort()
    }

    /// Does what a mutant does to its own process.
    func suffer(_ harm: Harm) {
        switch harm {
        case .crash: crash()
        case .hang: hang()
        case .spin: isRestless = true
        case .keepMemory: kept.append([UInt8](repeating: 0xA5, count: 8 << 20))
        case .keepDescriptors: for _ in 0..<2 { _ = dup(STDERR_FILENO) }
        }
    }

    // MARK: Waiting

    /// Returns the next event; waits for it.
    func next() -> Event {
        while events.isEmpty {
            if let hangTime, hangTime <= .now { hang() }
            wait()
        }
        return events.removeFirst()
    }

    /// Does nothing for ever, like an app whose threads wait for one another.
    private func hang() -> Never {
        while true { pause() }
    }

    /// The real time until the next deadline, in nanoseconds; `nil` if there is none.
    private var untilNext: Int64? {
        let next = isSuspended ? nil : timers.next
        let due = next.map { clock.realNanoseconds(until: $0) }
        guard let hangTime else { return due }
        let left = max(0, Int64((hangTime - .now) / .nanoseconds(1)))
        return min(due ?? left, left)
    }

    private func wait() {
        var reading = DescriptorSet()
        var writing = DescriptorSet()
        if let input = lines.input { reading.insert(input) }
        if let listener { reading.insert(listener.descriptor) }
        let awake = isSuspended ? [:] : connections
        for connection in awake.values {
            reading.insert(connection.descriptor)
            if connection.wantsToWrite { writing.insert(connection.descriptor) }
        }
        let result = DescriptorSet.wait(
            reading: &reading, writing: &writing, nanoseconds: isRestless ? 0 : untilNext)
        if case .interrupted = result { events.append(.terminate) }
        for (id, connection) in awake {
            if writing.contains(connection.descriptor) { write(connection, id) }
            if connections[id] != nil, reading.contains(connection.descriptor),
                connection.isConnected
            {
                _ = read(connection, id)
            }
        }
        if let listener, reading.contains(listener.descriptor) { acceptAll(listener) }
        if let input = lines.input, reading.contains(input) {
            events += lines.readLines().map(Event.controlLine)
        }
        if !isSuspended { events += timers.takeDue(at: clock.now).map(Event.timerFired) }
    }

    private func acceptAll(_ listener: ListeningSocket) {
        while let connection = listener.accept(), let name = nextName() {
            connections[name] = connection
            events.append(.accepted(name))
        }
    }

    private func write(_ connection: TCPConnection, _ id: ConnectionID) {
        let wasConnected = connection.isConnected
        do throws(SystemError) {
            if wasConnected {
                try connection.flush()
            } else {
                guard try connection.finishConnecting() else { return }
                if let protection = protections[id] {
                    sendRaw(protection.begin(), on: id)
                } else {
                    events.append(.connected(id))
                }
            }
        } catch {
            if wasConnected {
                lose(id, error.description)
            } else {
                connections[id] = nil
                events.append(.connectFailed(id, error.description))
            }
        }
    }

    /// Reads once; returns whether there may be more to read.
    private func read(_ connection: TCPConnection, _ id: ConnectionID) -> Bool {
        do throws(SystemError) {
            switch try connection.receive() {
            case .bytes(let bytes):
                guard let protection = protections[id] else {
                    events.append(.received(id, bytes))
                    return true
                }
                receive(bytes, protection, id)
                return connections[id] != nil
            case .end: lose(id, "the peer closed the connection")
            case .nothing: break
            }
        } catch {
            lose(id, error.description)
        }
        return false
    }

    /// Takes bytes of a protected connection, which is connected when its handshake has finished.
    private func receive(_ bytes: [UInt8], _ protection: TLSClient, _ id: ConnectionID) {
        let wasFinished = protection.isFinished
        let (plain, output) = protection.receive(bytes)
        sendRaw(output, on: id)
        guard connections[id] != nil else { return }
        if protection.isFinished, !wasFinished { events.append(.connected(id)) }
        if !plain.isEmpty { events.append(.received(id, plain)) }
        if protection.isOver {
            connections[id]?.prepareToClose()
            lose(id, protection.isFinished ? "the server ended TLS" : "the handshake failed")
        }
    }

    private func lose(_ id: ConnectionID, _ reason: String) {
        connections[id] = nil
        protections[id] = nil
        events.append(.disconnected(id, reason))
    }
}
