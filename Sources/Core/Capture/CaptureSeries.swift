/// Several captures read as one, ordered by time.
///
/// They may be the files that a capturing program wrote in turns, or captures of several
/// interfaces.
///
/// Packets are numbered consecutively, and interfaces follow one another, as in the file that
/// `mergecap` creates from them. A file is opened only when its first packet is due, so that many
/// files that follow one another cost no more than one.
///
/// Captures at two points of one network have packets in common. These packets show how far the
/// clocks differ. Times are then those of the first such capture, and each packet is delivered
/// once.
public final class CaptureSeries {
    /// A file that has been opened.
    private final class Member {
        var file: CaptureFile
        /// The index of its first interface among those of all files.
        let firstInterface: Int
        /// Its index among the paths.
        let number: Int
        /// The amount by which its clock is ahead, in nanoseconds.
        let ahead: Int64
        /// The time of its next packet, by the common clock.
        var nextTimestamp = Int64.min

        init(_ file: consuming CaptureFile, _ pendingFile: PendingFile, firstInterface: Int) {
            self.file = file
            self.firstInterface = firstInterface
            number = pendingFile.number
            ahead = pendingFile.ahead
        }
    }

    /// A file that has not been opened yet.
    private struct PendingFile {
        let path: String
        var number = 0
        /// The amount by which its clock is ahead, in nanoseconds.
        var ahead: Int64 = 0
        /// The time of its first packet, by the common clock.
        let start: Int64
    }

    private let following: Following?
    private let keyLogs: CaptureFile.KeyLogs?
    /// The files to open, the earliest last.
    private var pendingFiles: [PendingFile] = []
    private var members: [Member] = []
    private var interfaceCount = 0
    /// The frame number of the last packet that has been delivered.
    private var frameNumber = 0
    /// The metadata of the first file, with the interfaces of all files.
    ///
    /// After the last packet it includes their statistics of losses. It is `nil` before a file is
    /// opened.
    public private(set) var metadata: CaptureMetadata?
    /// The interfaces of files that were read to their ends, by the index of their first interface.
    private var interfaces: [Int: [CaptureInterface]] = [:]
    private var isStopped = false
    private let identity: PacketIdentity?
    /// The clock differences of captures that have packets in common with another.
    public private(set) var offsets: [ClockOffset] = []
    private var shared: SharedPackets?
    /// Why files could not be read to their ends; what precedes the damage has been delivered.
    public private(set) var damages: [CaptureError] = []

    /// Reads the time of the first packet of each file.
    ///
    /// - Parameters:
    ///   - paths: The files, in any order.
    ///   - following: How to wait for more at the end of the only file.
    ///   - identity: Identifies a packet that several captures have; `nil` to use the clocks of the
    ///     captures unchanged.
    ///   - keyLogs: Takes the key logs in the files, each before the packets that follow it.
    /// - Throws: What opening a capture throws; damage after the file header is reported in
    ///   `damages`.
    public init(
        paths: [String], following: Following? = nil, identity: PacketIdentity? = nil,
        keyLogs: CaptureFile.KeyLogs? = nil
    ) throws(CaptureError) {
        self.following = following
        self.keyLogs = keyLogs
        self.identity = identity
        if paths.count == 1 {
            // A single file may be a pipe, which cannot be read in advance.
            pendingFiles = [PendingFile(path: paths[0], start: 0)]
            return
        }
        var found: [PendingFile] = []
        let clocks = try measure(paths)
        for (number, path) in paths.enumerated() {
            var file = try CaptureFile(path: path)
            var start: Int64?
            do throws(CaptureError) {
                start = try file.nextTimestamp()
            } catch {
                damages.append(error)
            }
            guard let start else { continue }
            let ahead = clocks[number]
            found.append(
                PendingFile(path: path, number: number, ahead: ahead, start: start &- ahead))
        }
        // Of files that begin at the same time, the one named first comes first.
        let ordered = found.enumerated().sorted {
            ($0.element.start, $0.offset) > ($1.element.start, $1.offset)
        }
        pendingFiles = ordered.map(\.element)
    }

    /// Returns the amount by which the clock of each file is ahead.
    ///
    /// The reference is the first file with which it has packets in common.
    private func measure(_ paths: [String]) throws(CaptureError) -> [Int64] {
        var clocks = [Int64](repeating: 0, count: paths.count)
        guard let identity else { return clocks }
        var samples: [PacketSample] = []
        for (number, path) in paths.enumerated() {
            var file = try CaptureFile(path: path)
            let sample = PacketSample(&file, path: path, identity: identity)
            for (other, known) in samples.enumerated() {
                guard let offset = sample.offset(from: known) else { continue }
                offsets.append(offset)
                clocks[number] = clocks[other] &+ (offset.isAhead ? offset.ahead : 0)
                break
            }
            samples.append(sample)
        }
        if !offsets.isEmpty { shared = SharedPackets(offsets) }
        return clocks
    }

    /// Opens the first file, so that `metadata` contains its header.
    ///
    /// - Throws: What opening it throws.
    public func open() throws(CaptureError) {
        if metadata == nil { try admit() }
    }

    /// Stops the delivery after the packet, or the batch, that is being delivered.
    public func stop() { isStopped = true }

    /// Calls `body` with each packet, in the order of time, up to the ends of all files.
    ///
    /// - Throws: What opening a file throws that has vanished meanwhile.
    public func forEach(_ body: (borrowing Packet) -> Void) throws(CaptureError) {
        try forEach(
            batches: { batch in
                for index in 0..<batch.count { body(batch.packet(index)) }
            }, packets: body)
    }

    /// Calls one of two closures with each packet, in the order of time, up to the ends of all
    /// files.
    ///
    /// Packets come in batches where that is possible.
    ///
    /// - Throws: What opening a file throws that has vanished meanwhile.
    public func forEach(
        batches: (borrowing PacketBatch) -> Void, packets: (borrowing Packet) -> Void
    ) throws(CaptureError) {
        while true {
            try admit()
            guard let member = members.min(by: { $0.nextTimestamp < $1.nextTimestamp }) else {
                return
            }
            deliver(member, to: packets)
            if isStopped { return }
            if members.count == 1, pendingFiles.isEmpty, shared == nil {
                drain(members[0], batches, packets)
                return
            }
        }
    }

    /// Delivers the rest of the only file that is left.
    private func drain(
        _ member: Member, _ batches: (borrowing PacketBatch) -> Void,
        _ packets: (borrowing Packet) -> Void
    ) {
        let former = frameNumber - member.file.frameNumber
        do throws(CaptureError) {
            try member.file.drain(
                while: { !isStopped },
                batches: { batch in
                    batches(
                        PacketBatch(
                            batch, firstIndex: former + batch.firstIndex,
                            interface: member.firstInterface + batch.interface))
                },
                packets: { packet in
                    packets(
                        Packet(
                            packet, index: former + packet.index,
                            interface: member.firstInterface + packet.interface))
                })
        } catch {
            damages.append(error)
        }
        frameNumber = former + member.file.frameNumber
        close(member)
        members = []
    }

    /// Opens the files whose first packet is due.
    private func admit() throws(CaptureError) {
        while let pendingFile = pendingFiles.last {
            let due = members.lazy.map(\.nextTimestamp).min()
            if let due, pendingFile.start > due { return }
            pendingFiles.removeLast()
            let file = try CaptureFile(
                path: pendingFile.path, following: following, keyLogs: keyLogs)
            let member = Member(file, pendingFile, firstInterface: interfaceCount)
            metadata = metadata ?? member.file.metadata
            if advance(member) { members.append(member) } else { close(member) }
            interfaceCount += max(1, member.file.metadata.interfaces.count)
        }
    }

    /// Delivers the packets of a file up to the time of another file.
    ///
    /// Of the only file it delivers just the first packet.
    private func deliver(_ member: Member, to body: (borrowing Packet) -> Void) {
        let others = members.lazy.filter { $0 !== member }.map(\.nextTimestamp).min()
        let limit = min(others ?? .max, pendingFiles.last?.start ?? .max)
        repeat {
            let former = member.file.frameNumber
            member.file.takePending { packet in
                frameNumber += packet.index - former
                let packet = Packet(
                    packet, index: frameNumber,
                    interface: member.firstInterface + packet.interface, ahead: member.ahead)
                if let key = shared == nil ? nil : identity?(packet),
                    shared?.has(key, of: member.number, at: packet.timestamp) == true
                {
                    return
                }
                body(packet)
            }
            guard advance(member) else {
                close(member)
                members.removeAll { $0 === member }
                return
            }
        } while member.nextTimestamp <= limit && limit < .max && !isStopped
    }

    /// Imports the metadata of a file's interfaces.
    private func close(_ member: Member) {
        interfaces[member.firstInterface] = member.file.metadata.interfaces.map { interface in
            var interface = interface
            interface.end = interface.end.map { $0 &- member.ahead }
            return interface
        }
        metadata?.interfaces = interfaces.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Reads the time of a file's next packet; returns `false` at its end or where it is damaged.
    private func advance(_ member: Member) -> Bool {
        do throws(CaptureError) {
            guard let timestamp = try member.file.nextTimestamp() else { return false }
            member.nextTimestamp = timestamp &- member.ahead
            return true
        } catch {
            damages.append(error)
            return false
        }
    }
}
