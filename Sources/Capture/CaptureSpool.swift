import Glibc

/// A capture in a temporary file, for what has to be read more than once; gone with the value.
public final class CaptureSpool {
    /// Where it is.
    public let path: String

    /// Keeps what comes from standard input, or from a file that is still being written, byte for
    /// byte.
    ///
    /// - Parameters:
    ///   - source: The path; `-` is standard input.
    ///   - following: How to wait at the end of a file.
    /// - Throws: `.io` or `.permission`.
    public init(copying source: String, following: Following?) throws(CaptureError) {
        let file = try FileSource(path: source, following: following)
        let target = try Self.make()
        path = target.path
        defer { close(target.descriptor) }
        var block = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = try file.read(into: &block, from: 0)
            guard count > 0 else { return }
            try Self.write(block[..<count], to: target)
        }
    }

    /// Writes several captures as one, ordered by time.
    ///
    /// - Throws: What reading a capture throws; damage within one is told in `damages`.
    public init(joining paths: [String], damages: inout [CaptureError]) throws(CaptureError) {
        let target = try Self.make()
        path = target.path
        defer { close(target.descriptor) }
        let writer = try PcapngWriter(
            fileDescriptor: target.descriptor, path: target.path, interfaces: [])
        let series = try CaptureSeries(paths: paths)
        var interfaceCount = 0
        var failure: CaptureError?
        try series.forEach { packet in
            guard failure == nil else { return }
            do throws(CaptureError) {
                while interfaceCount <= packet.interface {
                    try writer.add(CaptureInterface(linkType: packet.linkType))
                    interfaceCount += 1
                }
                try writer.write(packet)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try writer.flush()
        damages += series.damages
    }

    deinit {
        unlink(path)
    }

    private static func make() throws(CaptureError) -> (path: String, descriptor: Int32) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/conform-capture-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw .system("mkstemp", "\(folder)/conform-capture-XXXXXX", errno: errno)
        }
        let path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (path, descriptor)
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, to target: (path: String, descriptor: Int32)
    ) throws(CaptureError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(target.descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .system("write", target.path, errno: errno)
            }
        }
    }
}
