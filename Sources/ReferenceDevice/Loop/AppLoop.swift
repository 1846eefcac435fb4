import Glibc
import Protocols

/// Runs a life cycle on a real socket, a real clock and the process's standard streams, in the
/// calling thread.
public struct AppLoop: ~Copyable {
    private let address: NumericAddress
    private let archives: ArchiveFolder?
    private var lifecycle: SDLAppLifecycle
    private var channel: LineChannel
    private var connection: TCPConnection?
    private var decoder = SDL.StreamDecoder()
    /// How many bytes of the connection have been decoded.
    private var received: UInt64 = 0
    private var timers = Timers()
    private var inputs: [LifecycleInput] = [.started]
    private var exitCode: Int32?
    private let hangTime: ContinuousClock.Instant?

    /// Makes a loop that has not run.
    ///
    /// - Parameters:
    ///   - lifecycle: The app.
    ///   - address: Where the head unit listens.
    ///   - archives: Where data is stored; nowhere if `nil`.
    ///   - input: The descriptor that control requests are read from.
    ///   - output: The descriptor that log lines and answers are written to.
    ///   - hangAfter: Milliseconds after which it does nothing any more; never if `nil`.
    public init(
        _ lifecycle: SDLAppLifecycle, address: NumericAddress, archives: ArchiveFolder? = nil,
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, hangAfter: Int? = nil
    ) {
        hangTime = hangAfter.map { .now + .milliseconds($0) }
        self.lifecycle = lifecycle
        self.archives = archives
        self.address = address
        self.channel = LineChannel(input: input, output: output)
    }

    /// Makes the signals that ask a process to end reach the loop; once, before any loop runs.
    public static func prepareProcess() { EndSignals.interruptWaitsOnly() }

    /// Runs until the app ends and returns its exit code.
    public mutating func run() -> Int32 {
        while true {
            settle()
            if let exitCode { return exitCode }
            if let hangTime, hangTime <= .now { hang() }
            wait()
        }
    }

    /// Hands all inputs to the life cycle, those too that its actions bring about.
    private mutating func settle() {
        while !inputs.isEmpty, exitCode == nil {
            for action in lifecycle.handle(inputs.removeFirst()) { perform(action) }
        }
    }

    private mutating func perform(_ action: LifecycleAction) {
        switch action {
        case .connect: connect()
        case .send(let bytes): send(bytes)
        case .close: close()
        case .startTimer(let timer, let milliseconds):
            timers.start(timer, milliseconds: milliseconds)
        case .stopTimer(let timer): timers.stop(timer)
        case .readArchive(let key):
            inputs.append(.archiveRead(archives?.read(key) ?? ArchiveReading.none))
        case .storeArchive(let key, let bytes):
            change { (folder) throws(SystemError) in try folder.store(bytes, for: key) }
        case .removeArchive(let key):
            change { (folder) throws(SystemError) in try folder.remove(key) }
        case .log(let line): channel.write(line: line.value.jsonText())
        case .answer(let answer): channel.write(line: answer.jsonText())
        case .exit(let code): exitCode = code
        case .crash: crash()
        }
    }

    /// Changes an archive; a failure is told and does not end the app.
    private func change(_ body: (ArchiveFolder) throws(SystemError) -> Void) {
        guard let archives else { return }
        do throws(SystemError) {
            try body(archives)
        } catch {
            let line = LogLine(.archiveFailed, [.init("reason", .string(error.description))])
            channel.write(line: line.value.jsonText())
        }
    }

    /// Does nothing for ever, as an app whose threads wait for one another.
    private func hang() -> Never {
        while true { pause() }
    }

    /// The time until something is due, in nanoseconds; `nil` if nothing is.
    private var untilNext: Int64? {
        guard let hangTime else { return timers.untilNext }
        let left = max(0, Int64((hangTime - .now) / .nanoseconds(1)))
        return min(timers.untilNext ?? left, left)
    }

    /// Ends as an app without a crash handler does: by SIGABRT, at once.
    private func crash() {
        signal(SIGABRT, SIG_DFL)
        abort()
    }

    // MARK: Connection

    private mutating func connect() {
        close()
        do {
            connection = try TCPConnection(to: address)
            decoder = SDL.StreamDecoder()
            received = 0
        } catch {
            inputs.append(.connectFailed(error.description))
        }
    }

    private mutating func close() {
        connection?.prepareToClose()
        connection = nil
    }

    private mutating func send(_ bytes: [UInt8]) {
        do throws(SystemError) {
            try connection?.send(bytes)
        } catch {
            lose(error.description)
        }
    }

    private mutating func lose(_ reason: String) {
        connection = nil
        inputs.append(.disconnected(reason))
    }

    // MARK: Waiting

    private mutating func wait() {
        var reading = DescriptorSet()
        var writing = DescriptorSet()
        if let input = channel.input { reading.insert(input) }
        let socket = connection?.descriptor ?? -1
        reading.insert(socket)
        if connection?.wantsToWrite == true { writing.insert(socket) }

        let result = DescriptorSet.wait(
            reading: &reading, writing: &writing, nanoseconds: untilNext)
        if case .interrupted = result { inputs.append(.terminate) }
        if writing.contains(socket) { write() }
        if reading.contains(socket), connection?.isConnected == true { read() }
        if let input = channel.input, reading.contains(input) {
            inputs += channel.readLines().map(LifecycleInput.controlLine)
        }
        inputs += timers.takeDue().map(LifecycleInput.timerFired)
    }

    private mutating func write() {
        do throws(SystemError) {
            if connection?.isConnected == true {
                try connection?.flush()
            } else {
                try connection?.finishConnecting()
                inputs.append(.connected)
            }
        } catch {
            let wasConnected = connection?.isConnected == true
            connection = nil
            let reason = error.description
            inputs.append(wasConnected ? .disconnected(reason) : .connectFailed(reason))
        }
    }

    private mutating func read() {
        do throws(SystemError) {
            switch try connection?.receive() {
            case .bytes(let bytes)?: decode(bytes)
            case .end?: lose("the head unit closed the connection")
            case .nothing?, nil: break
            }
        } catch {
            lose(error.description)
        }
    }

    private mutating func decode(_ bytes: [UInt8]) {
        var messages: [StreamMessage] = []
        decoder.consume(bytes.span.bytes, at: received, into: &messages)
        received += UInt64(bytes.count)
        inputs += messages.compactMap { $0.content as? SDL.Message }.map(LifecycleInput.received)
    }
}
