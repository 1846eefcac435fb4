import Capture
import Glibc
import Testing

@Suite("Live capture", .serialized)
struct LiveCaptureTests {
    /// The reason why nothing can be captured here; `nil` if capturing is possible.
    private static let obstacle: CaptureError? = {
        do throws(CaptureError) {
            _ = try LiveCapture(interface: "lo", bufferBytes: 1 << 20)
            return nil
        } catch {
            return error
        }
    }()

    static var isPermitted: Bool { obstacle == nil }

    /// A UDP socket on the loopback and the address it is bound to.
    private struct Sender {
        let descriptor: Int32
        private(set) var address = sockaddr_in()
        var port: UInt16 { UInt16(bigEndian: address.sin_port) }

        init() {
            descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            call { bind(descriptor, $0, $1) }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = withUnsafeMutableBytes(of: &address) { bytes in
                bytes.baseAddress.map {
                    getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length)
                }
            }
        }

        /// Sends a datagram to itself.
        func send(_ bytes: [UInt8]) {
            call { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
        }

        private func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> some Any) {
            withUnsafeBytes(of: address) { bytes in
                guard let base = bytes.baseAddress else { return }
                _ = body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }
    }

    /// Waits and drains until `count` packets have come, or two seconds have passed.
    private func collect(_ capture: LiveCapture, _ count: Int) throws -> [Record] {
        var records: [Record] = []
        for _ in 0..<200 where records.count < count {
            wait(for: capture)
            try capture.drain { records.append(Record($0)) }
        }
        return records
    }

    /// Waits until there is something to drain, or ten milliseconds have passed.
    private func wait(for capture: LiveCapture) {
        var watched = pollfd(fd: capture.fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&watched, 1, 10)
    }

    private func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    @Test(
        "Every packet on the loopback is delivered once, in order, with the time of its sending",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func packetsAreDeliveredOnce() throws {
        let sender = Sender()
        defer { close(sender.descriptor) }
        let capture = try LiveCapture(interface: "lo", filter: "udp port \(sender.port)")
        #expect(capture.linkType == .ethernet)
        let before = now()
        for number in 0..<20 { sender.send([0xC0, UInt8(number)]) }
        let after = now()
        let records = try collect(capture, 20)
        #expect(records.map(\.bytes.last) == (0..<20).map { UInt8($0) })
        let stamps = records.map(\.timestamp)
        #expect(stamps == stamps.sorted())
        // The kernel's timestamps and this reading are from the same clock, but are not one
        // reading.
        let slack: Int64 = 30_000_000
        #expect(stamps.allSatisfy { $0 > before - slack && $0 < after + slack })
        #expect(stamps.contains { $0 % 1_000 != 0 }, "no stamp is finer than a microsecond")
        #expect(try capture.drain { _ in } == 0)
        #expect(capture.packetCount == 20)
        #expect(capture.statistics.dropped == 0)
        #expect(capture.statistics.received >= 20)
    }

    @Test(
        "The largest packet of the loopback is not cut",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func largestPacketIsWhole() throws {
        let sender = Sender()
        defer { close(sender.descriptor) }
        let capture = try LiveCapture(interface: "lo", filter: "udp port \(sender.port)")
        sender.send(Array(repeating: 0xAB, count: 65_507))
        let record = try #require(try collect(capture, 1).first)
        #expect(record.bytes.count == 14 + 20 + 8 + 65_507)
        #expect(record.originalLength == record.bytes.count)
    }

    @Test(
        "The buffer holds two hundred packets of the loopback before a drain",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func room() throws {
        let sender = Sender()
        defer { close(sender.descriptor) }
        let capture = try LiveCapture(interface: "lo", filter: "udp port \(sender.port)")
        for number in 0..<200 { sender.send([UInt8(number)]) }
        #expect(try collect(capture, 200).count == 200)
        #expect(capture.statistics.dropped == 0)
    }

    @Test(
        "A drain takes no more than its limit, and the next drain takes the rest",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func drainIsBounded() throws {
        let sender = Sender()
        defer { close(sender.descriptor) }
        let capture = try LiveCapture(interface: "lo", filter: "udp port \(sender.port)")
        for number in 0..<10 { sender.send([UInt8(number)]) }
        var counts: [Int] = []
        for _ in 0..<200 where counts.reduce(0, +) < 10 {
            wait(for: capture)
            counts.append(try capture.drain(limit: 4) { _ in })
        }
        #expect(counts.reduce(0, +) == 10)
        #expect(counts.allSatisfy { $0 <= 4 }, "\(counts)")
    }

    @Test(
        "A stopped capture delivers nothing more and keeps its counters",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func stopped() throws {
        let sender = Sender()
        defer { close(sender.descriptor) }
        let capture = try LiveCapture(interface: "lo", filter: "udp port \(sender.port)")
        for number in 0..<3 { sender.send([UInt8(number)]) }
        #expect(try collect(capture, 3).count == 3)
        let statistics = capture.statistics
        sender.send([3])
        capture.stop()
        capture.stop()
        #expect(try capture.drain { _ in } == 0)
        #expect(capture.statistics.received >= statistics.received)
        let atTheEnd = capture.statistics
        sender.send([4])
        #expect(capture.statistics == atTheEnd)
    }

    @Test(
        "A filter that does not compile is reported in libpcap's words",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func badFilterIsTold() throws {
        let error = try #require(throws: CaptureError.self) {
            try LiveCapture(interface: "lo", filter: "tcp prot 1")
        }
        #expect(error.code == .badFilter)
        #expect(error.detail.contains("syntax error"))
    }

    @Test(
        "An interface that does not exist is reported by its name",
        .enabled(if: isPermitted, "capturing on lo is not permitted here"))
    func missingInterfaceIsTold() throws {
        let error = try #require(throws: CaptureError.self) {
            try LiveCapture(interface: "nosuch0")
        }
        #expect(error.code == .noInterface)
        #expect(error.path == "nosuch0")
    }
}
