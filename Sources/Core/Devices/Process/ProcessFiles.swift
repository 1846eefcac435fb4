import Glibc

/// The files in which the kernel describes a process, `/proc/PID/stat` and `schedstat` (proc(5)).
///
/// They stay open for many readings: to open a file takes several times as long as to read it.
final class ProcessFiles: Sendable {
    /// What `stat` says of a process.
    struct Status {
        /// The letter of its first thread's state.
        let state: UInt8
        let parent: Int32
        let session: Int32
        /// Hundredths of a second that it has run, with threads that have ended.
        let ticks: Int64
        /// Hundredths of a second that its reaped children have run.
        let childTicks: Int64
        let threadCount: Int64
    }

    /// How long a thread has run and has waited to run, in nanoseconds.
    struct Times {
        let run: Int64
        let waited: Int64
    }

    private let stat: Int32
    private let schedstat: Int32

    /// Opens the files of a process, or of one of its threads.
    ///
    /// - Parameters:
    ///   - folder: `/proc/PID` or `/proc/PID/task/THREAD`.
    ///   - hasTimes: Whether `times` is wanted.
    init(in folder: String, hasTimes: Bool = true) {
        stat = open(folder + "/stat", O_RDONLY | O_CLOEXEC)
        schedstat = hasTimes ? open(folder + "/schedstat", O_RDONLY | O_CLOEXEC) : -1
    }

    deinit {
        for file in [stat, schedstat] where file >= 0 { close(file) }
    }

    /// What `stat` says now; `nil` if there is no such process any more.
    var status: Status? {
        Self.read(stat) { text in
            // The name of the program is in brackets and may contain any character.
            guard let end = text.lastIndex(of: UInt8(ascii: ")")), end + 2 < text.count else {
                return nil
            }
            let numbers = Self.numbers(in: text[(end + 3)...], count: 17)
            guard numbers.count == 17, let parent = Int32(exactly: numbers[0]),
                let session = Int32(exactly: numbers[2])
            else { return nil }
            return Status(
                state: text[end + 2], parent: parent, session: session,
                ticks: numbers[10] + numbers[11], childTicks: numbers[12] + numbers[13],
                threadCount: numbers[16])
        }
    }

    /// What `schedstat` says now, of the first thread if it is a process.
    var times: Times? {
        Self.read(schedstat) { text in
            let numbers = Self.numbers(in: text[...], count: 2)
            return numbers.count == 2 ? Times(run: numbers[0], waited: numbers[1]) : nil
        }
    }

    private static func read<Content>(
        _ file: Int32, _ body: (UnsafeRawBufferPointer) -> Content?
    ) -> Content? {
        withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
            let count = pread(file, buffer.baseAddress, buffer.count, 0)
            return count > 0 ? body(UnsafeRawBufferPointer(rebasing: buffer[..<count])) : nil
        }
    }

    /// Returns the first numbers of a text that spaces separate.
    private static func numbers(
        in text: Slice<UnsafeRawBufferPointer>, count: Int
    ) -> [Int64] {
        var numbers: [Int64] = []
        numbers.reserveCapacity(count)
        var (number, sign, isNumber) = (Int64(0), Int64(1), false)
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): sign = -1
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number &* 10 &+ Int64(byte - UInt8(ascii: "0"))
                isNumber = true
            default:
                guard isNumber else { continue }
                numbers.append(sign * number)
                if numbers.count == count { return numbers }
                (number, sign, isNumber) = (0, 1, false)
            }
        }
        return numbers
    }
}
