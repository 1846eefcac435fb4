import Capture
import Wire

/// A digest of a capture made by `conform`: its metadata and each packet with its time.
struct CaptureDigest {
    private var hash = SHA256()

    /// Begins a digest.
    init() {}

    /// Adds a packet.
    mutating func add(_ packet: borrowing Packet) {
        let numbers = [
            packet.timestamp, Int64(packet.originalLength), Int64(packet.bytes.byteCount),
        ]
        hash.add(numbers.span.bytes)
        hash.add(packet.bytes)
    }

    /// Returns the digest, including the section's comment, which holds the metadata.
    func finish(comment: String) -> [UInt8] {
        var hash = hash
        hash.add(Array(comment.utf8).span.bytes)
        return hash.finish()
    }

    /// Returns the digest of a saved capture.
    static func of(_ path: String) throws(CaptureError) -> [UInt8] {
        var file = try CaptureFile(path: path)
        var digest = CaptureDigest()
        while let packet = try file.next() { digest.add(packet) }
        return digest.finish(comment: file.metadata.section.comments.joined(separator: "\n"))
    }
}
