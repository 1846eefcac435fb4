import Glibc
import Wire

/// What became of a command of a peer.
public enum CommandOutcome: Sendable, Hashable {
    /// It is done; written bytes are with the kernel.
    case done
    /// The bytes wait until the device reads; `handle` goes on with them.
    case queued
    /// The connection is not there, or has ended; nothing was done.
    case noConnection
    /// More bytes would wait than are kept (64 MiB a connection); nothing was written.
    case queueFull
}

/// The sockets through which a peer meets one device: it listens for it, or it calls it.
///
/// They belong to one thread: the worker's poll loop, which watches `pollDescriptors`, reports
/// what `poll` found to `handle`, and passes orders to `perform`. Nothing here blocks.
public protocol PeerPort: AnyObject {
    /// The connections that are open, oldest descriptor first.
    var connections: [PeerConnection] { get }
    /// What the poll loop is to watch.
    var pollDescriptors: [(fd: Int32, events: Int16)] { get }
    /// Why it cannot go on, if it cannot.
    var fault: PeerError? { get }
    /// Takes what `poll` found on one descriptor; one that is not its own is ignored.
    func handle(_ fd: Int32, _ revents: Int16)
    /// Whether what arrives is kept for `takeReceived`.
    var keepsReceived: Bool { get set }
    /// What has arrived, in operation; it is not handed out again.
    func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])]
    /// Does what a line orders, a command of the peer above all.
    func perform(_ operation: LinkImpairment.Operation) throws(PeerError) -> CommandOutcome
    /// Closes every descriptor, for the end of a case; what waits to be written is lost.
    func stop()
}

/// The open connections of a peer, by their sockets and by their names.
///
/// Received bytes are drained and thrown away, unless the peer serves a link upon TCP; what they
/// meant, the peer learns from the trace.
struct PeerSockets {
    private(set) var sockets: [Int32: PeerSocket] = [:]
    private var descriptors: [PeerConnection: Int32] = [:]
    /// Whether nothing is read or written.
    private(set) var isStalled = false
    private var scratch = [UInt8](repeating: 0, count: 64 << 10)
    /// Whether what arrives is kept.
    var keepsReceived = false
    /// What has arrived and was kept.
    private var received: [(connection: PeerConnection, bytes: [UInt8])] = []

    /// Adds a connection.
    mutating func add(_ descriptor: Int32, as connection: PeerConnection) {
        var socket = PeerSocket(descriptor: descriptor, connection: connection)
        socket.isStalled = isStalled
        sockets[descriptor] = socket
        descriptors[connection] = descriptor
    }

    /// Takes one away without closing it.
    mutating func remove(_ descriptor: Int32) {
        guard let socket = sockets.removeValue(forKey: descriptor) else { return }
        if descriptors[socket.connection] == descriptor { descriptors[socket.connection] = nil }
    }

    /// Whether it has that connection.
    func contains(_ connection: PeerConnection) -> Bool { descriptors[connection] != nil }

    /// Whether the other side has ended a connection, or it is not there any more.
    func hasEnded(_ connection: PeerConnection) -> Bool {
        descriptors[connection].flatMap { sockets[$0]?.hasReadFIN } ?? true
    }

    /// The connections that are open, oldest descriptor first.
    var connections: [PeerConnection] {
        sockets.values.filter { !$0.isClosing }.sorted { $0.descriptor < $1.descriptor }
            .map(\.connection)
    }

    /// Whether bytes wait to be written.
    var hasPendingWrites: Bool { sockets.values.contains { $0.pending > 0 } }

    /// What the poll loop is to watch.
    var pollDescriptors: [(fd: Int32, events: Int16)] {
        sockets.values.map { (fd: $0.descriptor, events: $0.events) }
    }

    /// Takes what `poll` found on one descriptor; one that is not its own is ignored.
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
        forgetIfOver(fd)
    }

    /// What has arrived and was kept, in operation; it is not handed out again.
    mutating func takeReceived() -> [(connection: PeerConnection, bytes: [UInt8])] {
        defer { received = [] }
        return received
    }

    /// Carries out a command that is about connections which are there.
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
                return $0.pending > 0 ? .queued : .done
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
                    return $0.pending > 0 ? .queued : .done
                }
            }
            return outcomes.contains(.queued) ? .queued : .done
        }
    }

    /// Stops reading and writing on all of them, or goes on.
    mutating func setStalled(_ isStalled: Bool) {
        self.isStalled = isStalled
        for descriptor in sockets.keys { sockets[descriptor]?.isStalled = isStalled }
    }

    /// Reads what is there, so that the ends are in good operation, and closes all of them.
    mutating func stop() {
        for fd in Array(sockets.keys) { sockets[fd]?.handle(Int16(POLLIN), scratch: &scratch) }
        closeDescriptors()
    }

    /// Closes all of them.
    mutating func closeDescriptors() {
        for fd in sockets.keys { close(fd) }
        sockets = [:]
        descriptors = [:]
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
    /// Non-blocking, closed on exec, and no waiting for full segments.
    static func configure(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }
}
