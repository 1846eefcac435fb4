import CZlib
import PeerKit

/// The checksum of PutFile: CRC-32 as in ISO 3309.
///
/// It uses zlib and not `CyclicCheck`, because a head unit must answer a file of megabytes at once.
enum FileChecksum {
    /// Returns the checksum of a file, or of a part of one.
    static func of(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { buffer in
            UInt32(
                truncatingIfNeeded: crc32(0, buffer.baseAddress, UInt32(clamping: buffer.count)))
        }
    }
}
