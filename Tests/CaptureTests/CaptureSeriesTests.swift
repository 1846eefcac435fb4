import Glibc
import TestSupport
import Testing

@testable import Capture

@Suite("Several captures as one")
struct CaptureSeriesTests {
    private func stamped(_ stamps: [Int64], _ byte: UInt8) -> [UInt8] {
        pcapFile(stamps.map { Record([byte], timestamp: $0) })
    }

    /// Timestamps, first bytes and interfaces of the packets of a series, and the damages.
    private func read(_ files: [[UInt8]]) throws -> (packets: [[Int64]], damages: [CaptureError]) {
        let temporaries = try files.map { try TemporaryFile($0) }
        defer { withExtendedLifetime(temporaries) {} }
        let series = try CaptureSeries(paths: temporaries.map(\.path))
        var packets: [[Int64]] = []
        try series.forEach { packet in
            #expect(packet.index == packets.count + 1)
            let byte = packet.bytes.withUnsafeBytes { Int64($0[0]) }
            packets.append([packet.timestamp, byte, Int64(packet.interface)])
        }
        return (packets, series.damages)
    }

    @Test("Packets come in order of time, whatever the order of the files")
    func packetsAreOrdered() throws {
        let (packets, damages) = try read([
            stamped([30, 40, 50], 3), stamped([5, 35, 45], 1), stamped([10, 20], 2),
        ])
        #expect(damages.isEmpty)
        #expect(packets.map { $0[0] } == [5, 10, 20, 30, 35, 40, 45, 50])
        #expect(packets.map { $0[1] } == [1, 2, 2, 3, 1, 3, 1, 3])
    }

    @Test("Packets with equal times come in the order of their files")
    func tiesFollowTheOrderOfNames() throws {
        let (packets, _) = try read([stamped([7, 7], 1), stamped([7, 8], 2)])
        #expect(packets.map { $0[1] } == [1, 1, 2, 2])
    }

    /// Seconds and first bytes of a series whose packets are identified by that byte.
    private func readShared(
        _ files: [[(Double, UInt8)]]
    ) throws -> (packets: [[Double]], offsets: [ClockOffset]) {
        let temporaries = try files.map { file in
            try TemporaryFile(
                pcapFile(file.map { Record([$1], timestamp: Int64($0 * 1_000_000_000)) }))
        }
        defer { withExtendedLifetime(temporaries) {} }
        let series = try CaptureSeries(paths: temporaries.map(\.path)) { packet in
            packet.bytes.withUnsafeBytes { UInt64($0[0]) }
        }
        var packets: [[Double]] = []
        try series.forEach { packet in
            let byte = packet.bytes.withUnsafeBytes { Double($0[0]) }
            packets.append([Double(packet.timestamp) / 1_000_000_000, byte])
        }
        return (packets, series.offsets)
    }

    @Test("A packet in two captures comes once, by the clock of the first, and gaps are filled")
    func sharedPackets() throws {
        let (packets, offsets) = try readShared([
            [(10, 1), (11, 2), (12, 3), (15, 6)],
            [(13.25, 1), (14.25, 2), (16.25, 4), (17.25, 5), (18.25, 6), (19.25, 7)],
        ])
        #expect(packets == (1...7).map { [Double($0) + 9, Double($0)] })
        #expect(offsets.map(\.ahead) == [3_250_000_000])
        #expect(offsets.map(\.count) == [3])
        #expect(offsets.first?.description.contains("is 3.25 s ahead, which is corrected") == true)
    }

    @Test("A packet that was sent twice comes twice, though it is in two captures")
    func repeatedPackets() throws {
        let file = [(10, 1), (11, 2), (12, 3), (12.5, 3), (13, 4)] as [(Double, UInt8)]
        let (packets, offsets) = try readShared([file, file.map { ($0.0 + 0.000_01, $0.1) }])
        #expect(packets == file.map { [$0.0, Double($0.1)] })
        #expect(offsets.map(\.isAhead) == [false])
    }

    @Test("The clocks of captures without common packets are not corrected")
    func nothingInCommon() throws {
        for second in [[(14, 3), (15, 4), (16, 5), (17, 6)], [(10.5, 7), (11.5, 8)]] {
            let first: [(Double, UInt8)] = [(10, 1), (11, 2), (12, 3)]
            let other = second.map { ($0.0, UInt8($0.1)) }
            let (packets, offsets) = try readShared([first, other])
            #expect(offsets.isEmpty)
            #expect(packets.count == first.count + other.count)
        }
    }

    @Test("Interfaces of different files are kept apart")
    func interfacesFollowOneAnother() throws {
        let two =
            sectionHeader() + interfaceBlock() + interfaceBlock()
            + enhancedPacket([8], ticks: 0, interface: 1)
        let (packets, _) = try read([two, stamped([1_000_000], 9)])
        #expect(packets.map { $0[1...] } == [[8, 1], [9, 2]])
    }

    @Test("A damaged file is used up to the damage, which is reported, and others completely")
    func damageIsTold() throws {
        let cut = Array(stamped([10, 20, 30], 1).dropLast())
        let (packets, damages) = try read([cut, stamped([15, 40], 2), pcapFile([])])
        #expect(packets.map { $0[0] } == [10, 15, 20, 40])
        #expect(damages.map(\.code) == [.truncated])
        #expect(damages.first?.packetIndex == 3)
    }

    @Test("More files than may be open at once can be read if they follow one another")
    func manyFilesInTurn() throws {
        let count = 3_000
        let temporaries = try (0..<count).map { try TemporaryFile(stamped([Int64($0)], 1)) }
        let series = try CaptureSeries(paths: temporaries.reversed().map(\.path))
        var last: Int64 = -1
        var openMax = 0
        try series.forEach { packet in
            #expect(packet.timestamp == last + 1)
            last = packet.timestamp
            if packet.index == 1_500 { openMax = openDescriptors() }
        }
        #expect(last == Int64(count - 1))
        #expect(openMax < 200)
    }

    private func openDescriptors() -> Int {
        (0..<4_096).filter { fcntl($0, F_GETFD) != -1 }.count
    }

    @Test("A folder means the captures in it, sorted by name")
    func foldersAreExpanded() throws {
        let scratch = TemporaryFolder()
        defer { scratch.remove() }
        let folder = scratch.path
        #expect(throws: CaptureError.self) { try CaptureFolder.captures(at: folder) }
        let files = [
            "b.pcap": pcapFile([]), "a.pcapng.gz": gzip(sectionHeader()), "c.txt": [1, 2],
        ]
        for (name, bytes) in files {
            let descriptor = open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600)
            write(descriptor, bytes, bytes.count)
            close(descriptor)
        }
        #expect(
            try CaptureFolder.captures(at: folder) == ["\(folder)/a.pcapng.gz", "\(folder)/b.pcap"])
        #expect(try CaptureFolder.captures(at: "somewhere/x.pcap") == ["somewhere/x.pcap"])
    }

    @Test("A file that is still being written is followed until nothing more comes")
    func growingFilesAreFollowed() throws {
        let whole = stamped(Array(1...50), 4)
        let temporary = try TemporaryFile(Array(whole[..<30]))
        let path = temporary.path
        let writer = Thread {
            let descriptor = open(path, O_WRONLY | O_APPEND)
            for byte in whole[30...] {
                _ = withUnsafePointer(to: byte) { write(descriptor, $0, 1) }
            }
            close(descriptor)
        }
        let series = try CaptureSeries(
            paths: [path], following: Following(idleLimit: .seconds(2)))
        var count = 0
        try series.forEach { _ in count += 1 }
        writer.join()
        #expect(count == 50)
        #expect(series.damages.isEmpty)
    }
}

/// A thread that runs a closure.
private final class Thread {
    private var handle = pthread_t()
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        pthread_create(
            &handle, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Thread>.fromOpaque(context).takeUnretainedValue().body()
                return nil
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func join() { pthread_join(handle, nil) }
}
