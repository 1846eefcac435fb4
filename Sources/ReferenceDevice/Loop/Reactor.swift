import Glibc
import Sockets
import Wire

/// All that a device's loop waits for: its connections, its timers, its control channel and the
/// signals that end it.
///
/// What happens comes out one by one, in the order in which it was seen.
/// `ConnectionID` tells the connections of a device apart, `Timer` its timers. What was seen of a
/// connection that is closed since, or of a timer that is stopped, does not come out any more.
final class Reactor<ConnectionID: Hashable, Timer: Hashable> {
    /// Something that has happened.
    enum Event {
        /// Somebody has connected.
        case accepted(ConnectionID)
        case connected(ConnectionID)
        /// The connection cannot be made, and why.
        case connectFailed(ConnectionID, String)
        case received(ConnectionID, [UInt8])
        /// The peer has ended the connection, or it broke, and why.
        case disconnected(ConnectionID, String)
        case timerFired(Timer)
        /// A line has come on the control channel.
        case line(String)
        /// The system asks the process to end.
        case terminate
    }

    /// The clock that the timers run by.
    let clock: DeviceClock
    private let channel: LineChannel
    private var lines: LineChannel
    private var connections: [ConnectionID: TCPConnection] = [:]
    private var listener: ListeningSocket?
    private var nextName: () -> ConnectionID?
    private var timers = Timers<Timer>()
    private var events: [Event] = []
    /// Whether connections and timers rest.
    private var isSuspended = false
    private let hangTime: ContinuousClock.Instant?

    /// Makes a reactor over open descriptors, which stay the caller's.
    ///
    /// - Parameters:
    ///   - input: Where control requests are read from.
    ///   - output: Where log lines and answers are written to.
    ///   - scale: How fast the timers run.
    ///   - hangAfter: Real milliseconds after which it does nothing any more; never if `nil`.
    init(input: Int32, output: Int32, scale: ClockRate = .one, hangAfter: Int? = nil) {
        clock = DeviceClock(scale: scale)
        channel = LineChannel(input: input, output: output)
        lines = channel
        nextName = { nil }
        hangTime = hangAfter.map { .now + .milliseconds($0) }
    }

    // MARK: Doing

    /// Writes a line: something for the log, or an answer.
    func write(_ line: Value) { channel.write(line: line.jsonText()) }

    /// Starts a timer, anew if it runs already.
    func start(_ timer: Timer, milliseconds: Int) {
        start(timer, deadline: clock.now + Int64(milliseconds) * 1_000_000)
    }

    /// Starts a timer that runs out at a time of `clock`.
    func start(_ timer: Timer, deadline: Int64) {
        stop(timer)
        timers.start(timer, deadline: deadline)
    }

    /// Forgets a timer.
    func stop(_ timer: Timer) {
        timers.stop(timer)
        events.removeAll { if case .timerFired(timer) = $0 { true } else { false } }
    }

    /// Accepts connections from now on.
    ///
    /// - Parameters:
    ///   - address: Where to listen.
    ///   - nextName: Makes the name of the next connection.
    func listen(
        on address: NumericAddress, naming nextName: @escaping () -> ConnectionID
    ) throws(SystemError) {
        listener = try ListeningSocket(on: address)
        self.nextName = nextName
    }

    /// Begins to connect; a connection of that name is closed first.
    func connect(_ id: ConnectionID, to address: NumericAddress) {
        close(id)
        do throws(SystemError) {
            connections[id] = try TCPConnection(to: address)
        } catch {
            events.append(.connectFailed(id, error.description))
        }
    }

    /// Sends on a connection; on none nothing happens.
    func send(_ bytes: [UInt8], on id: ConnectionID) {
        do throws(SystemError) {
            try connections[id]?.send(bytes)
        } catch {
            lose(id, error.description)
        }
    }

    /// Closes a connection after what was sent.
    func close(_ id: ConnectionID) {
        connections[id]?.prepareToClose()
        connections[id] = nil
        events.removeAll { $0.connection == id }
    }

    /// Lets connections and timers rest, so that only the control channel and signals are heard.
    func suspend() { isSuspended = true }

    /// Goes on after `suspend`; what has come on the connections meanwhile happens first.
    func resume() {
        guard isSuspended else { return }
        isSuspended = false
        for (id, connection) in connections where connection.isConnected {
            while connections[id] != nil, read(connection, id) {}
        }
    }

    /// Ends the process as an app without a crash handler does: by SIGABRT, at once.
    func crash() {
        signal(SIGABRT, SIG_DFL)
        abort()
    }

    // MARK: Waiting

    /// The next thing that happens; waits for it.
    func next() -> Event {
        while events.isEmpty {
            if let hangTime, hangTime <= .now { hang() }
            wait()
        }
        return events.removeFirst()
    }

    /// Does nothing for ever, as an app whose threads wait for one another.
    private func hang() -> Never {
        while true { pause() }
    }

    /// The real time until something is due, in nanoseconds; `nil` if nothing is.
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
            reading: &reading, writing: &writing, nanoseconds: untilNext)
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
            events += lines.readLines().map(Event.line)
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
                events.append(.connected(id))
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

    /// Reads once; returns whether there may be more.
    private func read(_ connection: TCPConnection, _ id: ConnectionID) -> Bool {
        do throws(SystemError) {
            switch try connection.receive() {
            case .bytes(let bytes):
                events.append(.received(id, bytes))
                return true
            case .end: lose(id, "the peer closed the connection")
            case .nothing: break
            }
        } catch {
            lose(id, error.description)
        }
        return false
    }

    private func lose(_ id: ConnectionID, _ reason: String) {
        connections[id] = nil
        events.append(.disconnected(id, reason))
    }
}

extension Reactor.Event {
    /// The connection that it happened to; `nil` if to none.
    fileprivate var connection: ConnectionID? {
        switch self {
        case .accepted(let id), .connected(let id), .connectFailed(let id, _),
            .received(let id, _), .disconnected(let id, _):
            id
        case .timerFired, .line, .terminate: nil
        }
    }
}
