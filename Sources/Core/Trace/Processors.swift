import Glibc

/// The processors of this machine.
public enum Processors {
    /// The number of processors that this process may use.
    ///
    /// A container or taskset(1) may have taken some away.
    public static var count: Int {
        let line = KernelFile.line(of: "/proc/self/status") { $0.hasPrefix("Cpus_allowed:") }
        let count = (line ?? "").dropFirst(13).reduce(0) {
            $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0)
        }
        return max(1, count)
    }
}

/// A file of proc(5), in which the kernel describes the machine and its processes.
package enum KernelFile {
    /// Returns the first matching line, without its end; `nil` if there is no such file or line.
    package static func line(of path: String, where isWanted: (String) -> Bool) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 4096)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let text = String(
                decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)),
                as: UTF8.self)
            if isWanted(text) { return text }
        }
        return nil
    }
}
