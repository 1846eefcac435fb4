import Glibc

/// A capture in a temporary file, for what has to be read more than once; gone with the value.
///
/// The file has no name in any folder, so that a program that is killed leaves nothing behind.
public final class CaptureSpool {
    /// Where this process finds it.
    public var path: String { file.path }
    private let file: NamelessFile

    /// Keeps what comes from standard input, or from a file that is still being written, byte for
    /// byte.
    ///
    /// - Parameters:
    ///   - source: The path; `-` is standard input.
    ///   - following: How to wait at the end of a file.
    /// - Throws: `.io` or `.permission`.
    public init(copying source: String, following: Following?) throws(CaptureError) {
        let source = try FileSource(path: source, following: following)
        file = try NamelessFile()
        var block = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = try source.read(into: &block, from: 0)
            guard count > 0 else { return }
            try file.write(block[..<count])
        }
    }

    /// Writes several captures as one, ordered by time.
    ///
    /// - Throws: What reading a capture throws; damage within one is told in `damages`.
    public init(joining paths: [String], damages: inout [CaptureError]) throws(CaptureError) {
        file = try NamelessFile()
        let writer = try PcapngWriter(
            fileDescriptor: file.descriptor, path: file.path, interfaces: [])
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
}

/// A temporary file that is in no folder: the system frees it with its last descriptor.
private final class NamelessFile {
    let descriptor: Int32

    /// Where this process finds it.
    var path: String { "/proc/self/fd/\(descriptor)" }

    init() throws(CaptureError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/conform-capture-XXXXXX".utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0, unlink(template) == 0
        else {
            throw .system("mkstemp", "\(folder)/conform-capture-XXXXXX", errno: errno)
        }
    }

    deinit {
        close(descriptor)
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(CaptureError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .system("write", path, errno: errno)
            }
        }
    }
}
