import Glibc

/// The processors of this machine.
public enum Processors {
    /// How many of them this process may use; a container or taskset(1) may have taken some away.
    public static var count: Int {
        guard let file = fopen("/proc/self/status", "r") else { return 1 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix("Cpus_allowed:") else { continue }
            let count = text.dropFirst(13).reduce(0) {
                $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0)
            }
            return max(1, count)
        }
        return 1
    }
}
