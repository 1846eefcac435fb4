import Glibc
import Wire

/// One connection of a peer, with a queue of bytes to write and the way it ends.
///
/// It was accepted, or it is being opened; then writes wait until it is established. Received bytes
/// are read, so that the kernel acknowledges them, and discarded unless a caller wants them.
struct PeerSocket {
    /// The limit on bytes to be written: a device that reads nothing must not fill memory.
    static let queueLimit = 64 << 20
    /// The most reads in one call, so that a flood cannot block the poll loop.
    private static let readsAtOnce = 64

    let descriptor: Int32
    let connection: PeerConnection
    /// What the kernel has taken.
    private(set) var sent = StreamDigest()
    private var queue: [UInt8] = []
    private var written = 0
    /// Offsets in the queue at which a segment must end, in ascending order.
    private var cuts: [Int] = []
    /// Whether nothing more may be written; the FIN is sent after the queue.
    private(set) var isClosing = false
    private var hasSentFIN = false
    /// Whether reading and writing are paused.
    var isStalled = false {
        didSet { if !isStalled { flush() } }
    }
    /// Whether the device's FIN has been read.
    private(set) var hasReadFIN = false
    /// Whether the connection has ended or was aborted; the descriptor can then be closed.
    private(set) var isOver = false
    /// What protects the connection; `nil` if it carries plain bytes.
    private let channel: (any SecureChannel)?
    /// The bytes that were written last, and what protects them, if that was not taken yet.
    private var latest: (plain: [UInt8], protected: [UInt8])?
    /// The lines of a key log of the connection that were not taken yet.
    private var keys: [UInt8] = []

    init(
        descriptor: Int32, connection: PeerConnection, channel: (any SecureChannel)? = nil
    ) {
        self.descriptor = descriptor
        self.connection = connection
        self.channel = channel
        queue = channel?.begin() ?? []
    }

    /// Returns and removes the lines of a key log of the connection.
    mutating func takeKeys() -> [UInt8] {
        defer { keys = [] }
        return keys
    }

    /// Returns and removes what protects bytes that were written last; `nil` if it is not known.
    mutating func takeProtected(_ plain: [UInt8]) -> [UInt8]? {
        defer { latest = nil }
        return latest.flatMap { $0.plain == plain && !$0.protected.isEmpty ? $0.protected : nil }
    }

    /// The number of bytes that wait to be written.
    var pending: Int { queue.count - written }

    /// The events for `poll`.
    var events: Int16 {
        isStalled ? 0 : Int16((hasReadFIN ? 0 : POLLIN) | (pending > 0 ? POLLOUT : 0))
    }

    /// Queues bytes and writes as many as the kernel takes.
    ///
    /// With `segmentSize`, no segment carries more than that many of the bytes, or any other bytes.
    mutating func write(
        _ bytes: [UInt8], segmentSize: Int? = nil
    ) -> CommandOutcome {
        guard !isOver, !isClosing else { return .noConnection }
        guard pending + bytes.count <= Self.queueLimit else { return .queueFull }
        var bytes = bytes
        if let channel {
            guard let protected = channel.send(bytes) else { return .noConnection }
            latest = (bytes, protected)
            bytes = protected
        }
        if let segmentSize, segmentSize > 0 {
            let ends = stride(from: segmentSize, to: bytes.count, by: segmentSize)
            cuts += [queue.count] + ends.map { queue.count + $0 } + [queue.count + bytes.count]
        }
        queue += bytes
        flush()
        if isOver { return .noConnection }
        return outcome
    }

    /// Whether all bytes are in the kernel.
    var outcome: CommandOutcome { pending > 0 || isWaiting ? .queued : .done }

    /// Whether bytes wait until the channel is established.
    private var isWaiting: Bool { channel?.isWaiting ?? false }

    /// Closes the connection after the queued bytes are sent, and those that wait for the channel.
    ///
    /// Only the writing half is shut: a descriptor that is closed with unread data in its receive
    /// buffer sends a RST (RFC 2525 2.17), so reading continues until the device's FIN.
    mutating func close() {
        if !isClosing, !isWaiting, let channel { queue += channel.close() }
        isClosing = true
        flush()
    }

    /// Aborts the connection: closing the descriptor then sends a RST.
    mutating func reset() {
        var abort = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
        isOver = true
    }

    /// Handles the `poll` result; passes received bytes to `received`.
    mutating func handle(
        _ revents: Int16, scratch: inout [UInt8], received: (ArraySlice<UInt8>) -> Void = { _ in }
    ) {
        if revents & Int16(POLLOUT) != 0 { flush() }
        if revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
            drain(scratch: &scratch, received: received)
        }
        if revents & Int16(POLLNVAL) != 0 { isOver = true }
    }

    private mutating func drain(
        scratch: inout [UInt8], received: (ArraySlice<UInt8>) -> Void
    ) {
        for _ in 0..<Self.readsAtOnce where !isOver {
            let count = recv(descriptor, &scratch, scratch.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                take(scratch[..<count], received)
                continue
            }
            if count == 0 {
                hasReadFIN = true
                // Nothing establishes the channel any more.
                isOver = hasSentFIN || isClosing && isWaiting
                return
            }
            if errno == EINTR { continue }
            if errno != EAGAIN { isOver = true }
            return
        }
    }

    /// Takes received bytes; the channel may have to answer them.
    private mutating func take(
        _ bytes: ArraySlice<UInt8>, _ received: (ArraySlice<UInt8>) -> Void
    ) {
        guard let channel else { return received(bytes) }
        let waited = isWaiting
        let (plain, output) = channel.receive(Array(bytes))
        keys += channel.takeKeys()
        if !plain.isEmpty { received(plain[...]) }
        if !isClosing || waited { queue += output }
        if isClosing, waited, !isWaiting { queue += channel.close() }
        if channel.hasFailed { isClosing = true }
        flush()
    }

    private mutating func flush() {
        guard !isStalled else { return }
        var always = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        // The device may react to the last message of a channel: the FIN goes with it.
        if channel != nil, isClosing, !isWaiting { always |= Int32(MSG_MORE) }
        while pending > 0 {
            cuts.removeAll { $0 <= written }
            // The end of a record is never joined with following bytes in one segment.
            let flags = cuts.isEmpty ? always : always | Int32(MSG_EOR)
            let length = (cuts.first ?? queue.count) - written
            let count = queue.withUnsafeBytes { bytes in
                send(descriptor, bytes.baseAddress?.advanced(by: written), length, flags)
            }
            if count >= 0 {
                var digest = sent
                digest.add(queue.span.bytes.extracting(written..<(written + count)))
                sent = digest
                written += count
            } else if errno != EINTR {
                if errno != EAGAIN { isOver = true }
                break
            }
        }
        if pending == 0 || written >= Self.compactionThreshold {
            queue.removeFirst(written)
            cuts = cuts.filter { $0 > written }.map { $0 - written }
            written = 0
        }
        if isClosing, pending == 0, !isWaiting, !hasSentFIN, !isOver {
            hasSentFIN = shutdown(descriptor, Int32(SHUT_WR)) == 0
            isOver = hasReadFIN || !hasSentFIN
        }
    }

    /// The number of written bytes that may stay in the queue before they are removed.
    private static let compactionThreshold = 1 << 20
}
