import Files
import Glibc

/// The log of one device: what it printed and what was done to it, with times since its launch.
///
/// A line is `[seconds] stream: text`; `conform` is the stream of what the harness did.
final class DeviceLog {
    private let file: Descriptor?
    private let limit: Int
    private let start: ContinuousClock.Instant
    /// Bytes of output that were written.
    private(set) var writtenBytes = 0
    /// Bytes of output that were not written, for the limit's sake.
    private(set) var droppedBytes = 0

    /// Creates the file, or empties it; without a place nothing is kept.
    ///
    /// With `since` the log of an earlier life is continued: times count from there.
    init(
        place: HeldFile?, limit: Int, since earlier: ContinuousClock.Instant? = nil
    ) throws(DeviceError) {
        self.limit = limit
        start = earlier ?? .now
        guard let place else {
            file = nil
            return
        }
        do throws(FileError) {
            file = Descriptor(
                try earlier == nil
                    ? place.create(mode: 0o644)
                    : place.open(O_WRONLY | O_CREAT | O_APPEND, mode: 0o644))
        } catch {
            throw DeviceError(.cannotPrepare, "the log cannot be written: \(error)")
        }
    }

    /// The last lines of the device, shortened, the oldest first.
    private(set) var lastLines: [String] = []

    /// How many of the last lines are kept, and how many characters of each.
    private static let lastLinesMax = (count: 3, length: 200)

    /// Writes lines of the device, as long as the limit allows.
    func output(_ lines: [String], stream: DeviceStream) {
        let last = lines.suffix(Self.lastLinesMax.count)
        lastLines = (lastLines + last.map { String($0.prefix(Self.lastLinesMax.length)) })
            .suffix(Self.lastLinesMax.count)
        var text = ""
        for line in lines {
            let size = line.utf8.count + 1
            if droppedBytes == 0, writtenBytes + size <= limit {
                writtenBytes += size
                text += entry(stream.rawValue, line)
            } else {
                if droppedBytes == 0 {
                    text += entry("conform", "output limit of \(limit) bytes reached")
                }
                droppedBytes += size
            }
        }
        write(text)
    }

    /// Writes what the harness did.
    func note(_ text: String) { write(entry("conform", text)) }

    /// Says at the end how much is missing.
    func finish() {
        if droppedBytes > 0 { note("\(droppedBytes) bytes of output are not in this log") }
    }

    private func entry(_ stream: String, _ text: String) -> String {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let micros = String(attoseconds / 1_000_000_000_000)
        let digits = String(repeating: "0", count: 6 - micros.count) + micros
        return "[\(seconds).\(digits)] \(stream): \(text)\n"
    }

    private func write(_ text: String) {
        guard let file, !text.isEmpty else { return }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, let count = try? file.write(rest), count > 0 {
            rest = rest.dropFirst(count)
        }
    }
}
