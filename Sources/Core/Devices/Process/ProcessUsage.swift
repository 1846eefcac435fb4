/// What the processes of one party hold, and how long they have wanted to run.
public struct ProcessUsage: Sendable, Hashable {
    /// When it was measured.
    public let time: ContinuousClock.Instant
    /// The bytes of memory that are theirs alone, and their part of what they share.
    ///
    /// Pages of files do not count: a program reads more of its own code in the course of time.
    public var memory: Int64 = 0
    /// How many descriptors they have open.
    public var descriptors = 0
    /// How long their threads have run since their beginning.
    public var run = Duration.zero
    /// How long their threads have run, and have waited for a processor, since their beginning.
    public var wanted = Duration.zero

    /// Returns how many processors they have wanted, on average, since an earlier measurement.
    public func processors(since earlier: ProcessUsage) -> Double {
        let length = (time - earlier.time) / .seconds(1)
        return length > 0 ? max(0, (wanted - earlier.wanted) / .seconds(1)) / length : 0
    }

    /// What one process holds.
    struct Held {
        let memory: Int64
        let descriptors: Int

        /// The lines of `smaps_rollup` that count (proc(5)), in kB.
        private static let parts: Set<Substring> = ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"]

        /// Reads it from `/proc`; `nil` if that is not possible.
        init?(of process: Int32) {
            guard
                let rollup = ProcessorWait.contents(
                    of: "/proc/\(process)/smaps_rollup", upTo: 4096),
                let open = ProcessorWait.names(in: "/proc/\(process)/fd")
            else { return nil }
            let sizes = rollup.split(separator: "\n").compactMap { line -> Int64? in
                let words = line.split(separator: " ")
                return words.count > 1 && Self.parts.contains(words[0]) ? Int64(words[1]) : nil
            }
            guard sizes.count == Self.parts.count else { return nil }
            memory = sizes.reduce(0, +) * 1024
            descriptors = open.count
        }
    }
}
