import Capture
import Glibc
import Results
import System
import Trace
import Wire

/// The capture of a case while it runs: a valid file at any time, without remarks yet.
final class PartialCapture {
    /// The file.
    let place: HeldFile
    private let fileDescriptor: Int32
    private let writer: PcapngWriter
    private let interfaceCount: Int
    private var digest = CaptureDigest()
    /// Bytes of the packets so far.
    private(set) var packetBytes = 0
    private var failure: CaptureError?

    /// Creates the file for packets of interfaces, next to the capture that it will become.
    ///
    /// - Parameter isSecret: Whether it may contain keys, so that only its owner may read it.
    init(
        for capture: HeldFile, interfaces: [CaptureInterface], isSecret: Bool = false
    ) throws {
        interfaceCount = interfaces.count
        place = Self.place(for: capture)
        fileDescriptor = try place.create(mode: isSecret ? 0o600 : 0o644)
        writer = try PcapngWriter(
            fileDescriptor: fileDescriptor, path: place.path,
            section: CaptureSection(application: "conform \(ConformVersion.current)"),
            interfaces: interfaces)
        try writer.flush()
    }

    /// Adds a packet; the first failure is kept for `finish`.
    func write(_ packet: borrowing Packet) {
        guard failure == nil else { return }
        digest.add(packet)
        packetBytes += packet.bytes.byteCount
        do throws(CaptureError) {
            try writer.write(packet)
        } catch {
            failure = error
        }
    }

    /// Adds a key log; the first failure is kept for `finish`.
    func write(keyLog text: [UInt8]) {
        guard failure == nil else { return }
        do throws(CaptureError) {
            try writer.write(keyLog: text)
        } catch {
            failure = error
        }
    }

    /// Writes what is buffered, so that the file contains it if the worker is killed.
    func flush() {
        guard failure == nil else { return }
        do throws(CaptureError) {
            try writer.flush()
        } catch {
            failure = error
        }
    }

    /// Adds the counters and ends the file.
    ///
    /// - Parameter comment: The future comment of the section header.
    /// - Returns: The digest of the capture that this file will become.
    /// - Throws: The first `CaptureError` of any write.
    func finish(
        at time: Timestamp, received: Int, dropped: Int, comment: String
    ) throws -> [UInt8] {
        if let failure { throw failure }
        // The counts are totals of all interfaces and are written at the first.
        for interface in 0..<interfaceCount {
            try writer.writeStatistics(
                interface: interface, timestamp: time.nanoseconds,
                received: interface == 0 ? UInt64(received) : nil,
                dropped: interface == 0 ? UInt64(dropped) : nil, end: time.nanoseconds)
        }
        try writer.flush()
        let whole = digest
        return whole.finish(comment: comment)
    }

    deinit {
        // After an error the packets so far may still be useful.
        try? writer.flush()
        close(fileDescriptor)
    }

    /// Keeps the capture of a case without a result, as it is.
    static func keep(as capture: HeldFile) {
        try? place(for: capture).rename(to: capture)
    }

    private static func place(for capture: HeldFile) -> HeldFile {
        capture.appending(".partial")
    }
}
