import Glibc
import System

extension PcapngWriter {
    /// Writes a capture again as pcapng, with additional information about it.
    ///
    /// The new file appears complete or not at all, also if `to` is `from`.
    ///
    /// - Parameters:
    ///   - from: A pcap or pcapng file, which is not a link.
    ///   - to: The new file; an existing file is replaced.
    ///   - sectionComments: They replace the comments of the section header.
    ///   - comments: By frame number from 1, the texts to add to the packet's own comments.
    /// - Throws: What reading throws (the new file is then not created), `.unsupported` for a text
    ///   beyond pcapng's 65,535 bytes, `.io` if the new file cannot be written.
    public static func rewrite(
        from: HeldFile, to: HeldFile, sectionComments: [String],
        comments: [Int: [String]] = [:]
    ) throws(CaptureError) {
        // Interfaces and counters can be anywhere in a file, so a first pass finds them all.
        let found = try metadata(of: from)
        var section = found.section
        section.comments = sectionComments
        let mode: mode_t = found.keyLogs.isEmpty ? 0o666 : 0o600
        try create(at: to, section: section, interfaces: found.interfaces, mode: mode) {
            (writer) throws(CaptureError) in
            for keyLog in found.keyLogs { try writer.write(keyLog: keyLog) }
            try writer.copyPackets(of: from, comments, found)
        }
    }

    /// Writes a capture that appears complete or not at all; an existing file is replaced.
    ///
    /// - Parameters:
    ///   - place: The new file.
    ///   - section: The description of the capture.
    ///   - interfaces: The interfaces on which its packets were captured.
    ///   - mode: The permissions of the file; only its owner may read a capture with keys.
    ///   - body: Writes the packets.
    /// - Throws: What `body` throws, `.unsupported` for a text beyond pcapng's 65,535 bytes, `.io`
    ///   if the file cannot be written.
    public static func create(
        at place: HeldFile, section: CaptureSection, interfaces: [CaptureInterface],
        mode: mode_t = 0o666, _ body: (PcapngWriter) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        let partial = place.appending(".\(getpid()).partial")
        do throws(CaptureError) {
            let descriptor = try CaptureError.converting { () throws(FileError) in
                try partial.create(mode: mode)
            }
            do {
                defer { close(descriptor) }
                let writer = try PcapngWriter(
                    fileDescriptor: descriptor, path: partial.path, section: section,
                    interfaces: interfaces)
                try body(writer)
                try writer.flush()
            }
            try CaptureError.converting { () throws(FileError) in try partial.rename(to: place) }
        } catch {
            partial.remove()
            throw error
        }
    }

    /// Writes a capture to a path that a user has named.
    ///
    /// - Throws: What `create(at:section:interfaces:_:)` throws, or an error if its folder cannot
    ///   be opened.
    public static func create(
        at path: String, section: CaptureSection, interfaces: [CaptureInterface],
        _ body: (PcapngWriter) throws(CaptureError) -> Void
    ) throws(CaptureError) {
        let place = try CaptureError.converting { () throws(FileError) in try HeldFile(path) }
        try create(at: place, section: section, interfaces: interfaces, body)
    }

    private static func metadata(of place: HeldFile) throws(CaptureError) -> CaptureMetadata {
        var file = try CaptureFile(place)
        while try file.next() != nil {}
        return file.metadata
    }

    /// Copies the packets, then the counters in the file.
    private func copyPackets(
        of place: HeldFile, _ comments: [Int: [String]], _ found: CaptureMetadata
    ) throws(CaptureError) {
        var file = try CaptureFile(place)
        var lastStamp: Int64 = 0
        while let packet = try file.next() {
            try write(packet, comments: comments[packet.index] ?? [])
            lastStamp = packet.timestamp
        }
        for (index, interface) in found.interfaces.enumerated()
        where interface.received != nil || interface.dropped != nil || interface.end != nil {
            try writeStatistics(
                interface: index, timestamp: interface.end ?? lastStamp,
                received: interface.received, dropped: interface.dropped, end: interface.end)
        }
    }
}
