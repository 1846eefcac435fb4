import Glibc

/// Lines in from one descriptor and out on another: the control channel and the log.
struct LineChannel {
    /// Longest line that is taken, in bytes: far above any control request; a longer one is cut.
    static let longestLine = 1 << 20

    /// Where lines come from; `nil` after its end.
    private(set) var input: Int32?
    private let output: Int32
    private var partial: [UInt8] = []

    /// Makes a channel over two open descriptors, which stay the caller's.
    init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// Reads what is there and returns the lines that it completes; empty lines are left out, and
    /// the end of the input completes the last.
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

/// Text lines out to a descriptor, unbuffered.
public enum LineOutput {
    /// Writes text and a line end; a reader that is gone is not missed.
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
