import Glibc

/// A set of descriptors for `pselect`.
struct DescriptorSet {
    /// The first descriptor that does not fit.
    static let capacity = Int32(FD_SETSIZE)

    private(set) var system = fd_set()
    private(set) var highest: Int32 = -1

    /// Adds a descriptor; ignores one that does not fit.
    mutating func insert(_ descriptor: Int32) {
        guard (0..<DescriptorSet.capacity).contains(descriptor) else { return }
        withUnsafeMutableBytes(of: &system) {
            $0[Int(descriptor) / 8] |= 1 << UInt8(descriptor % 8)
        }
        highest = max(highest, descriptor)
    }

    func contains(_ descriptor: Int32) -> Bool {
        guard (0..<DescriptorSet.capacity).contains(descriptor) else { return false }
        return withUnsafeBytes(of: system) {
            $0[Int(descriptor) / 8] & 1 << UInt8(descriptor % 8) != 0
        }
    }

    /// Waits until a descriptor is ready, a signal arrives or the time is over.
    ///
    /// It leaves only the ready descriptors in the sets. Signals that the process blocks are
    /// unblocked during the wait, so none is missed.
    ///
    /// - Parameter nanoseconds: The maximum wait; `nil` for no limit.
    static func wait(
        reading: inout DescriptorSet, writing: inout DescriptorSet, nanoseconds: Int64?
    ) -> WaitResult {
        let count = max(reading.highest, writing.highest) + 1
        var none = sigset_t()
        sigemptyset(&none)
        var limit = timespec()
        if let nanoseconds {
            limit.tv_sec = Int(nanoseconds / 1_000_000_000)
            limit.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        let ready =
            nanoseconds == nil
            ? pselect(count, &reading.system, &writing.system, nil, nil, &none)
            : pselect(count, &reading.system, &writing.system, nil, &limit, &none)
        guard ready <= 0 else { return .ready }
        reading = DescriptorSet()
        writing = DescriptorSet()
        return ready == 0 ? .timeout : .interrupted
    }
}

/// The reason why a wait has ended.
enum WaitResult {
    case ready, timeout, interrupted
}
