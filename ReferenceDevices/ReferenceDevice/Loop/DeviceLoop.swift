import Glibc
import System
import Wire

/// Runs a device on real sockets, a real clock and the process's standard streams.
///
/// It runs in the calling thread.
public struct DeviceLoop<Machine: DeviceMachine>: ~Copyable {
    private var machine: Machine
    private let archives: ArchiveFolder?
    private let reactor: Reactor<Machine.Link, Machine.Timer>
    private let address: (Machine.Link) -> NumericAddress?
    private var exitCode: Int32?

    /// Creates a loop that has not run.
    ///
    /// - Parameters:
    ///   - machine: The device.
    ///   - archives: The folder in which it stores its data; `nil` for none.
    ///   - input: The descriptor that control requests are read from.
    ///   - output: The descriptor that log lines and answers are written to.
    ///   - scale: How fast the device's timers run.
    ///   - hangAfter: Milliseconds after which it hangs; `nil` for never.
    ///   - address: Returns where the peer of a connection listens; `nil` if there is none.
    public init(
        _ machine: Machine, archives: ArchiveFolder? = nil, input: Int32 = STDIN_FILENO,
        output: Int32 = STDOUT_FILENO, scale: ClockRate = .one, hangAfter: Int? = nil,
        connectingTo address: @escaping (Machine.Link) -> NumericAddress? = { _ in nil }
    ) {
        self.machine = machine
        self.archives = archives
        self.address = address
        reactor = Reactor(input: input, output: output, scale: scale, hangAfter: hangAfter)
    }

    /// Protects connections from now on.
    ///
    /// - Parameter next: Returns the TLS of the next connection; `nil` if it is not protected.
    public func protect(_ next: @escaping () -> TLSClient?) { reactor.protects = next }

    /// Runs until the device ends and returns its exit code.
    public mutating func run() -> Int32 {
        handle(.started)
        while true {
            if let exitCode { return exitCode }
            handle(reactor.next())
        }
    }

    private mutating func handle(_ input: DeviceInput<Machine.Link, Machine.Timer>) {
        for action in machine.handle(input, at: reactor.clock.now) where exitCode == nil {
            perform(action)
        }
    }

    private mutating func perform(_ action: DeviceAction<Machine.Link, Machine.Timer>) {
        switch action {
        case .connect(let link):
            if let address = address(link) {
                reactor.connect(link, to: address)
            } else {
                handle(.connectFailed(link, "no address is given"))
            }
        case .send(let link, let bytes): reactor.send(bytes, on: link)
        case .close(let link): reactor.close(link)
        case .startTimer(let timer, let deadline): reactor.start(timer, deadline: deadline)
        case .stopTimer(let timer): reactor.stop(timer)
        case .suspend: reactor.suspend()
        case .resume: reactor.resume()
        case .log(let line), .answer(let line): reactor.write(line)
        case .keep(let kept): keep(kept)
        case .exit(let code): exitCode = code
        case .harm(let harm): reactor.suffer(harm)
        }
    }

    private func keep(_ kept: Value) {
        do throws(SystemError) {
            try archives?.keep(kept)
        } catch {
            reactor.write(["event": "notKept", "reason": .string("\(error)")])
        }
    }
}

extension DeviceLoop where Machine.Link == Int {
    /// Accepts connections from now on, numbered from 1.
    public mutating func listen(on address: NumericAddress) throws(ListenError) {
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
