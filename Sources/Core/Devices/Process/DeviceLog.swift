import Glibc
import System

/// The log of one device: what it printed and what was done to it, with times since its launch.
///
/// A line is `[seconds] stream: text`; the stream `conform` is for actions of the harness.
final class DeviceLog {
    private let file: Descriptor?
    private let limit: Int
    private let start: ContinuousClock.Instant
    /// Bytes of output that were written.
    private(set) var writtenBytes = 0
    /// Bytes of output that were not written because of the limit.
    private(set) var droppedBytes = 0

    /// Creates the file, or empties it; without a place no log is kept.
    ///
    /// With `since` the log of an earlier life is continued, and times count from that moment.
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

    /// The last lines from the device, shortened, the oldest first.
    private(set) var lastLines: [String] = []

    /// How many of the last lines are kept, and how many characters of each.
    private static let lastLinesMax = (count: 3, length: 200)

    /// Writes lines from the device, as long as the limit allows.
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

    /// Writes an action of the harness.
    func record(_ text: String) { write(entry("conform", text)) }

    /// Writes how many bytes are missing, at the end.
    func finish() {
        if droppedBytes > 0 { record("\(droppedBytes) bytes of output are not in this log") }
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
