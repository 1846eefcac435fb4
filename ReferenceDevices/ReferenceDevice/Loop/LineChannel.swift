import Glibc

/// Reads lines from one descriptor and writes lines to another: the control channel and the log.
struct LineChannel {
    /// The longest line that is accepted, in bytes, far above any control request.
    ///
    /// The beginning of a longer one is dropped.
    static let longestLine = 1 << 20

    /// The descriptor from which lines are read; `nil` after the end of the input.
    private(set) var input: Int32?
    private let output: Int32
    private var partial: [UInt8] = []

    /// Creates a channel over two open descriptors, which the caller still owns.
    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Reads the available bytes and returns the lines that they complete.
    ///
    /// Empty lines are left out. The end of the input completes the last line.
    mutating func readLines() -> [String] {
        guard let input else { return [] }
        let capacity = 65_536
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            let received = read(input, buffer.baseAddress, capacity)
            failure = received < 0 ? errno : 0
            count = max(0, received)
        }
        if failure == EINTR || failure == EAGAIN { return [] }
        if bytes.isEmpty {
            self.input = nil
            partial.append(UInt8(ascii: "\n"))
        }
        partial += bytes
        var lines = partial.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = lines.popLast() ?? []
        partial = rest.count > LineChannel.longestLine ? [] : Array(rest)
        return lines.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes one line.
    func write(line: String) { LineOutput.write(line, to: output) }
}

/// Writes text lines to a descriptor, unbuffered.
public enum LineOutput {
    /// Writes text and a line end; ignores a missing reader.
    public static func write(_ line: String, to descriptor: Int32) {
        var bytes = Array("\(line)\n".utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes.removeFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
