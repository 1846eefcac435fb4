import Glibc
import Wire

/// The outcome of a command of a peer.
public enum CommandOutcome: Sendable, Hashable {
    /// The command is done; written bytes are in the kernel.
    case done
    /// The bytes wait until the device reads; `handle` continues to write them.
    case queued
    /// The connection does not exist or has ended; nothing was done.
    case noConnection
    /// More bytes would wait than are kept (64 MiB per connection); nothing was written.
    case queueFull
}

/// The sockets through which a peer exchanges data with one device.
///
/// The peer listens for the device, or connects to it. The sockets belong to one thread: the
/// worker's poll loop, which watches `pollDescriptors`, passes `poll` results to `handle`, and
/// passes operations to `perform`. Nothing here blocks.
public protocol PeerPort: AnyObject {
    /// The open connections, oldest descriptor first.
    var connections: [PeerConnection] { get }
    /// The descriptors and events for the poll loop.
    var pollDescriptors: [(fd: Int32, events: Int16)] { get }
    /// The error that stopped it, if there is one.
    var fault: PeerError? { get }
    /// Handles the `poll` result of one descriptor; a descriptor of another owner is ignored.
    func handle(_ fd: Int32, _ revents: Int16)
    /// Whether received bytes are kept for `takeReceived`.
    var keepsReceived: Bool { get set }
    /// Returns and removes the received bytes, in order.
    func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])]
    /// Carries out an operation of link impairment, most often a command of the peer.
    func perform(_ operation: LinkImpairment.Operation) throws(PeerError) -> CommandOutcome
    /// Closes every descriptor at the end of a case; bytes that wait to be written are lost.
    func stop()
    /// What its sockets have sent since it was created.
    var sent: SentTraffic { get }
    /// What protects its connections from now on; `nil` if they carry plain bytes.
    var channels: (any SecureChannels)? { get set }
    /// Returns and removes the lines of a key log of its connections.
    func takeKeys() -> [UInt8]
    /// Returns what protects bytes that were written last on a connection; `nil` if it is not known.
    func takeProtected(_ plain: [UInt8], on connection: PeerConnection) -> [UInt8]?
}

extension PeerPort {
    /// `nil`: most sockets are not protected.
    public var channels: (any SecureChannels)? {
        get { nil }
        set {}
    }

    /// Empty: it has no keys.
    public func takeKeys() -> [UInt8] { [] }

    /// `nil`: it protects nothing.
    public func takeProtected(_ plain: [UInt8], on connection: PeerConnection) -> [UInt8]? { nil }
}

/// The open connections of a peer, by their sockets and by their names.
///
/// Received bytes are drained and discarded, unless the peer serves a link protocol over TCP; the
/// peer learns their meaning from the trace.
struct PeerSockets {
    private(set) var sockets: [Int32: PeerSocket] = [:]
    private var descriptors: [PeerConnection: Int32] = [:]
    /// Whether reading and writing are paused.
    private var isStalled = false
    private var scratch = [UInt8](repeating: 0, count: 64 << 10)
    /// Whether received bytes are kept.
    var keepsReceived = false
    /// What protects the connections.
    var channels: (any SecureChannels)?
    private var keys: [UInt8] = []
    /// The connections in the order in which they were opened, with the sockets of the open ones.
    private var history: [(connection: PeerConnection, marks: [StreamDigest.Mark])] = []
    private var places: [Int32: Int] = [:]
    /// The received bytes that were kept.
    private var received: [(connection: PeerConnection, bytes: [UInt8])] = []

    /// Returns and removes the lines of a key log of its connections.
    mutating func takeKeys() -> [UInt8] {
        defer { keys = [] }
        return keys
    }

    /// Returns what protects bytes that were written last on a connection.
    mutating func takeProtected(_ plain: [UInt8], on connection: PeerConnection) -> [UInt8]? {
        let found = sockets.first { $0.value.connection == connection && !$0.value.isClosing }
        return found.flatMap { sockets[$0.key]?.takeProtected(plain) }
    }

    /// Adds a connection.
    ///
    /// It is closed at once if it cannot be protected.
    mutating func add(_ descriptor: Int32, as connection: PeerConnection) {
        let channel = channels?.next()
        if channels != nil, channel == nil {
            close(descriptor)
            return record(connection)
        }
        var socket = PeerSocket(
            descriptor: descriptor, connection: connection, channel: channel)
        socket.isStalled = isStalled
        sockets[descriptor] = socket
        descriptors[connection] = descriptor
        places[descriptor] = history.count
        record(connection)
    }

    /// Records a connection that ended before it was established.
    mutating func record(_ connection: PeerConnection) { history.append((connection, [])) }

    /// All connections so far with digests of what was written, in the order of their opening.
    var written: [(connection: PeerConnection, marks: [StreamDigest.Mark])] {
        var result = history
        for (descriptor, place) in places {
            result[place].marks = sockets[descriptor]?.sent.marks ?? []
        }
        return result
    }

    /// Removes a connection without closing it.
    mutating func remove(_ descriptor: Int32) {
        guard let socket = sockets.removeValue(forKey: descriptor) else { return }
        if let place = places.removeValue(forKey: descriptor) {
            history[place].marks = socket.sent.marks
        }
        if descriptors[socket.connection] == descriptor { descriptors[socket.connection] = nil }
    }

    /// Whether it contains a connection.
    func contains(_ connection: PeerConnection) -> Bool { descriptors[connection] != nil }

    /// Whether the other side has ended a connection, or the connection no longer exists.
    func hasEnded(_ connection: PeerConnection) -> Bool {
        descriptors[connection].flatMap { sockets[$0]?.hasReadFIN } ?? true
    }

    /// The open connections, oldest descriptor first.
    var connections: [PeerConnection] {
        sockets.values.filter { !$0.isClosing }.sorted { $0.descriptor < $1.descriptor }
            .map(\.connection)
    }

    /// The descriptors and events for the poll loop.
    var pollDescriptors: [(fd: Int32, events: Int16)] {
        sockets.values.map { (fd: $0.descriptor, events: $0.events) }
    }

    /// Handles the `poll` result of one descriptor; a descriptor of another owner is ignored.
    mutating func handle(_ fd: Int32, _ revents: Int16) {
        guard sockets[fd] != nil else { return }
        if keepsReceived {
            var bytes: [UInt8] = []
            sockets[fd]?.handle(revents, scratch: &scratch) { bytes += $0 }
            if let socket = sockets[fd], !bytes.isEmpty {
                received.append((socket.connection, bytes))
            }
        } else {
            sockets[fd]?.handle(revents, scratch: &scratch)
        }
        if channels != nil { keys += sockets[fd]?.takeKeys() ?? [] }
        forgetIfOver(fd)
    }

    /// Returns and removes the kept bytes, in order.
    mutating func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])] {
        defer { received = [] }
        return received
    }

    /// Carries out a command for existing connections.
    mutating func perform(_ command: PeerCommand) -> CommandOutcome {
        switch command {
        case .connect:
            return .noConnection
        case .write(let connection, let bytes), .packet(let connection, let bytes):
            return act(on: connection) { $0.write(bytes) }
        case .writeSegments(let connection, let bytes, let size):
            return act(on: connection) { $0.write(bytes, segmentSize: size) }
        case .close(let connection):
            return act(on: connection) {
                $0.close()
                return $0.outcome
            }
        case .reset(let connection):
            return act(on: connection) {
                $0.reset()
                return .done
            }
        case .closeAll:
            let outcomes = connections.map { connection in
                act(on: connection) {
                    $0.close()
                    return $0.outcome
                }
            }
            return outcomes.contains(.queued) ? .queued : .done
        }
    }

    /// Pauses or resumes reading and writing on all connections.
    mutating func setStalled(_ isStalled: Bool) {
        self.isStalled = isStalled
        for descriptor in sockets.keys { sockets[descriptor]?.isStalled = isStalled }
    }

    /// Reads the available bytes, so that the connections end with a FIN, and closes all of them.
    mutating func stop() {
        for fd in Array(sockets.keys) { sockets[fd]?.handle(Int16(POLLIN), scratch: &scratch) }
        closeDescriptors()
    }

    /// Closes all descriptors.
    mutating func closeDescriptors() {
        for fd in sockets.keys { close(fd) }
        for fd in Array(sockets.keys) { remove(fd) }
    }

    private mutating func act(
        on connection: PeerConnection, _ body: (inout PeerSocket) -> CommandOutcome
    ) -> CommandOutcome {
        guard let fd = descriptors[connection], var socket = sockets[fd] else {
            return .noConnection
        }
        sockets[fd] = nil
        let outcome = body(&socket)
        sockets[fd] = socket
        forgetIfOver(fd)
        return outcome
    }

    private mutating func forgetIfOver(_ fd: Int32) {
        guard let socket = sockets[fd], socket.isOver else { return }
        remove(fd)
        close(fd)
    }
}

extension PeerSockets {
    /// Makes a descriptor non-blocking and close-on-exec, and sets TCP_NODELAY.
    static func configure(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    }

    static func set(
        _ descriptor: Int32, _ level: Int32, _ option: Int32, to value: Int32 = 1
    ) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
}
