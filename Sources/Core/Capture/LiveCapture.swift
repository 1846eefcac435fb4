import CPcap
import Glibc

/// A running capture on a network interface, through libpcap, which is loaded for the first
/// capture.
///
/// Packets carry the kernel's nanosecond timestamps and are delivered as soon as the caller drains;
/// nothing blocks. The caller waits for `fileDescriptor` to become readable with its own `poll`. A
/// capture belongs to one thread.
///
/// On Linux's loopback the kernel has each packet twice, outgoing and incoming. The kernel is
/// configured to deliver the incoming ones. Where it is older than 4.20, libpcap omits the others.
/// Filters on the direction (`inbound`) must not be used, because packets that were captured before
/// the filter took effect are then lost without being counted.
public final class LiveCapture {
    /// Counters since the capture was activated.
    public struct Statistics: Sendable, Hashable {
        /// Packets that passed the filter.
        public var received: UInt64
        /// Packets for which there was no room in the buffer because `drain` was too late.
        public var dropped: UInt64
        /// Packets that the interface or its driver lost.
        public var droppedByInterface: UInt64
    }

    /// The interface's name.
    public let interface: String
    /// The framing of its packets.
    public let linkType: LinkType
    /// The maximum number of bytes that are kept of a packet.
    public let snapshotLength: Int
    /// A descriptor that is readable while packets wait.
    public let fileDescriptor: Int32
    /// The number of packets that have been delivered.
    public private(set) var packetCount = 0
    private let handle: OpaquePointer
    private var isStopped = false
    private var baseline = pcap_stat()
    private var latest = Statistics(received: 0, dropped: 0, droppedByInterface: 0)

    /// The default of the snapshot length.
    ///
    /// It is the Ethernet header and the largest packet of Linux's loopback, whose MTU is 65,536.
    /// Nothing that TCP sends there is cut.
    public static let snapshotLengthDefault = 65_536 + 14

    /// The default room for packets that wait to be drained.
    ///
    /// With immediate delivery the kernel takes 128 KiB of memory for each slot of the default
    /// snapshot length, so this room is 255 slots. That is 12 ms at 20,000 packets a second. More
    /// room makes the start slower (some 15 ms for each 16 MiB) and takes memory for every case
    /// that runs in parallel.
    ///
    /// Where the interface's packets are small and no offload joins them, a slot is only as large
    /// as they can be: at an MTU of 1,500 bytes this room is some 10,000 slots.
    public static let bufferBytesDefault = 16 << 20

    /// Loads libpcap now, so that processes that are forked later have it.
    ///
    /// If that fails, a capture fails too, and says why.
    public static func loadLibrary() { _ = cpcap_load() }

    /// Starts to capture; packets that are sent after it returns are seen.
    ///
    /// - Parameters:
    ///   - interface: Its name, or `any` for all of them.
    ///   - bufferBytes: The room for packets that wait; see `bufferBytesDefault`.
    ///   - snapshotLength: The maximum number of bytes to keep of a packet.
    ///   - filter: What to capture, in the language of pcap-filter(7); `nil` for everything.
    /// - Throws: `.noLibrary`, `.permission`, `.noInterface`, `.badFilter`, or `.io` with libpcap's
    ///   text.
    public init(
        interface: String, bufferBytes: Int = bufferBytesDefault,
        snapshotLength: Int = snapshotLengthDefault, filter: String? = nil
    ) throws(CaptureError) {
        let handle = try Self.activated(interface, bufferBytes, snapshotLength)
        if interface == Self.loopback { Self.ignoreLeaving(handle) }
        do throws(CaptureError) {
            if let filter { try Self.set(filter, on: handle, interface) }
            try Self.makeNonBlocking(handle, interface)
        } catch {
            cpcap_close(handle)
            throw error
        }
        self.interface = interface
        self.handle = handle
        self.snapshotLength = Int(cpcap_snapshot(handle))
        linkType = LinkType(dlt: cpcap_datalink(handle))
        fileDescriptor = cpcap_get_selectable_fd(handle)
        cpcap_stats(handle, &baseline)
    }

    deinit {
        if !isStopped { cpcap_close(handle) }
    }

    /// Ends the capture: nothing more is delivered, and the counters stay as they are.
    ///
    /// Before the kernel releases the room for packets, it waits for some 20 ms until no processor
    /// can be filling it. A separate thread waits for that.
    public func stop() {
        guard !isStopped else { return }
        _ = statistics
        isStopped = true
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { handle in
                if let handle { cpcap_close(OpaquePointer(handle)) }
                return nil
            }, UnsafeMutableRawPointer(handle))
        if failure == 0 { pthread_detach(thread) } else { cpcap_close(handle) }
    }

    /// Delivers the waiting packets, at most `limit`; call it again while it returns `limit`.
    ///
    /// - Returns: The number of packets.
    /// - Throws: `.io` if the interface has gone; packets before that have been delivered.
    @discardableResult
    public func drain(
        limit: Int = drainPacketsMax, _ body: (borrowing Packet) -> Void
    ) throws(CaptureError) -> Int {
        guard !isStopped else { return 0 }
        for count in 0..<limit {
            var header: UnsafeMutablePointer<pcap_pkthdr>?
            var data: UnsafePointer<UInt8>?
            let status = cpcap_next_ex(handle, &header, &data)
            guard status >= 0 else {
                throw CaptureError(.io, interface, Self.lastError(of: handle))
            }
            guard status == 1, let header = header?.pointee, let data else { return count }
            packetCount += 1
            // With nanosecond precision libpcap stores nanoseconds in the field named for
            // microseconds.
            let stamp = Int64(header.ts.tv_sec) * 1_000_000_000 + Int64(header.ts.tv_usec)
            let bytes = RawSpan(_unsafeStart: data, byteCount: Int(header.caplen))
            body(
                Packet(
                    bytes, timestamp: stamp, index: packetCount, linkType: linkType,
                    originalLength: Int(header.len)))
        }
        return limit
    }

    /// The maximum number of packets of one `drain`, so that its caller gets to other work under
    /// load.
    public static let drainPacketsMax = 4096

    /// The current counters, or the last known ones if the interface has gone.
    ///
    /// Packets from before the filter took effect are left out.
    public var statistics: Statistics {
        var counters = pcap_stat()
        guard !isStopped, cpcap_stats(handle, &counters) == 0 else { return latest }
        // libpcap counts in 32 bits, which wrap.
        latest = Statistics(
            received: UInt64(counters.ps_recv &- baseline.ps_recv),
            dropped: UInt64(counters.ps_drop &- baseline.ps_drop),
            droppedByInterface: UInt64(counters.ps_ifdrop &- baseline.ps_ifdrop))
        return latest
    }
}

extension LiveCapture {
    /// Returns an activated handle with nanosecond timestamps.
    private static func activated(
        _ interface: String, _ bufferBytes: Int, _ snapshotLength: Int
    ) throws(CaptureError) -> OpaquePointer {
        if let failure = cpcap_load() {
            throw CaptureError(.noLibrary, interface, String(cString: failure))
        }
        var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard let handle = cpcap_create(interface, &text) else {
            throw CaptureError(.io, interface, Self.text(text))
        }
        let settings = [
            cpcap_set_snaplen(handle, Int32(clamping: snapshotLength)),
            cpcap_set_buffer_size(handle, Int32(clamping: bufferBytes)),
            cpcap_set_immediate_mode(handle, 1),
            cpcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO),
        ]
        guard settings.allSatisfy({ $0 == 0 }) else {
            cpcap_close(handle)
            throw CaptureError(
                .unsupported, interface, "no nanosecond stamps on this interface")
        }
        let status = cpcap_activate(handle)
        // A positive status is a warning: the capture runs.
        guard status < 0 else { return handle }
        defer { cpcap_close(handle) }
        throw activationError(status, handle, interface)
    }

    private static func activationError(
        _ status: Int32, _ handle: OpaquePointer, _ interface: String
    ) -> CaptureError {
        let code: CaptureError.Code =
            switch status {
            case PCAP_ERROR_PERM_DENIED, PCAP_ERROR_PROMISC_PERM_DENIED: .permission
            case PCAP_ERROR_NO_SUCH_DEVICE, PCAP_ERROR_IFACE_NOT_UP: .noInterface
            default: .io
            }
        var detail = String(cString: cpcap_statustostr(status))
        let more = lastError(of: handle)
        if !more.isEmpty, more != detail { detail += ": " + more }
        return CaptureError(code, interface, detail)
    }

    /// The name of Linux's loopback interface.
    private static let loopback = "lo"

    /// Ignores outgoing packets, because they would take half of the room and of the kernel's work.
    private static func ignoreLeaving(_ handle: OpaquePointer) {
        // SOL_PACKET and PACKET_IGNORE_OUTGOING of Linux; versions older than 4.20 reject it.
        let (level, option): (Int32, Int32) = (263, 23)
        var isWanted: Int32 = 1
        setsockopt(
            cpcap_fileno(handle), level, option, &isWanted, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func set(
        _ filter: String, on handle: OpaquePointer, _ interface: String
    ) throws(CaptureError) {
        var program = bpf_program()
        guard cpcap_compile(handle, &program, filter, 1, PCAP_NETMASK_UNKNOWN) == 0 else {
            throw CaptureError(
                .badFilter, interface, "filter \"\(filter)\": \(lastError(of: handle))")
        }
        defer { cpcap_freecode(&program) }
        guard cpcap_setfilter(handle, &program) == 0 else {
            throw CaptureError(.io, interface, lastError(of: handle))
        }
    }

    private static func makeNonBlocking(
        _ handle: OpaquePointer, _ interface: String
    ) throws(CaptureError) {
        var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
        guard cpcap_setnonblock(handle, 1, &text) == 0 else {
            throw CaptureError(.io, interface, Self.text(text))
        }
    }

    private static func lastError(of handle: OpaquePointer) -> String {
        cpcap_geterr(handle).map { String(cString: $0) } ?? ""
    }

    private static func text(_ buffer: [CChar]) -> String {
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
