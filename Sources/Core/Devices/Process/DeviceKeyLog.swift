import Glibc
import System

/// The key log of a device (`SSLKEYLOGFILE`), read while the device writes it.
///
/// The device may write anything into it. Its folder belongs to the harness, so that the file stays
/// the same one.
public final class DeviceKeyLog {
    /// How many bytes of it are read at most; a connection has about 1,000.
    private static let bytesMax = 16 << 20
    private static let pieceSize = 16 << 10

    /// The file.
    let path: String
    private let file: Descriptor
    private var offset = 0
    /// The beginning of a line whose end has not been written yet.
    private var unfinished: [UInt8] = []

    /// Opens the file, which is created if it does not exist.
    init(_ place: HeldFile, user: UInt32?) throws(FileError) {
        path = place.path
        file = Descriptor(try place.open(O_RDONLY | O_CREAT, mode: 0o600))
        if let user { try DeviceHome.give(file.number, path, to: user) }
    }

    /// Returns the lines that have been completed since the last call.
    public func takeLines() -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        while offset < Self.bytesMax {
            let count = pread(file.number, &piece, piece.count, offset)
            guard count > 0 else { break }
            offset += count
            unfinished += piece.prefix(count)
        }
        guard let end = unfinished.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        defer { unfinished.removeFirst(end + 1) }
        return Array(unfinished[...end])
    }
}
