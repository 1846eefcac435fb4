import Reporting
import Synchronization
import Trace
import Wire

/// A screen that passes over messages whose decoding is not necessary.
///
/// These are the messages outside the selection, and those whose line can be written from the
/// header.
struct SelectionScreen: MessageScreen {
    private struct State {
        let selection: MessageSelection
        let listing: TraceListing?
        let lines: HeaderLines?
        /// Whether a header may be sufficient to pass over a sound message.
        let decidesByHeader: Bool
        /// Whether a column, or part of the selection, cannot be read from headers.
        let needsFrames: Bool

        mutating func selects(
            _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
        ) -> Bool {
            // A message that is wanted whole makes the engine return to the caller that takes the
            // lines.
            if let lines, lines.isFull { return true }
            guard selection.mayContain(header.code, at: place) else { return passOver() }
            guard decidesByHeader, header.isSound(unit) else { return true }
            switch selection.contains(header, unit, at: place) {
            case false?: return passOver()
            case true?:
                guard let listing, let lines else { return true }
                return !lines.append(header, unit, at: place, by: listing)
            case nil: return true
            }
        }

        mutating func selects(event code: MessageCode, at place: MessagePlace) -> Bool {
            selection.contains(code, at: place) || passOver()
        }

        private func passOver() -> Bool {
            lines?.appendNothing()
            return false
        }
    }

    /// The state: one element, in an array because a one-word value is stored inline in an
    /// existential.
    ///
    /// A larger value is stored in a box whose uniqueness must be checked at every call.
    private var state: [State]

    /// Creates a screen.
    ///
    /// - Parameters:
    ///   - selection: The messages that are wanted.
    ///   - listing: The listing that writes lines, if lines are wanted.
    ///   - lines: The list to which lines are added, an empty line for a message that is not
    ///     selected.
    init(
        _ selection: MessageSelection, listing: TraceListing? = nil, lines: HeaderLines? = nil
    ) {
        let isListedFromHeaders = listing?.isReadFromHeaders == true
        let decides = selection.isReadFromHeaders && (selection.hasFilter || isListedFromHeaders)
        state = [
            State(
                selection: selection, listing: listing, lines: lines, decidesByHeader: decides,
                needsFrames: !(selection.isReadFromHeaders && isListedFromHeaders))
        ]
    }

    var needsFrames: Bool { state[0].needsFrames }

    mutating func selects(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        state[0].selects(header, unit, at: place)
    }

    mutating func selects(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        state[0].selects(event: code, at: place)
    }
}

/// The lines of messages that were passed over, until they are merged with the other lines.
///
/// The engine owns the screen that writes the lines. This object is how they are taken out.
final class HeaderLines: Sendable {
    /// The text of lines, and the end of each message's line.
    struct Lines {
        var bytes: [UInt8] = []
        var ends: [Int] = []

        fileprivate mutating func append(
            _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace,
            by listing: TraceListing
        ) -> Bool {
            guard listing.append(header, unit, at: place, to: &bytes) else { return false }
            ends.append(bytes.count)
            return true
        }
    }

    /// The sizes in bytes and messages at which the lines should be taken out.
    private static let bytesMax = 1 << 16
    private static let countMax = 1 << 12

    private let lines = Mutex(Lines())
    private let isFullFlag = Atomic(false)

    /// Whether the list is full, so that the lines should be taken out.
    var isFull: Bool { isFullFlag.load(ordering: .relaxed) }

    /// Adds the line of the next message that is passed over, if its header is sufficient.
    ///
    /// - Returns: Whether it is.
    func append(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace, by listing: TraceListing
    ) -> Bool {
        lines.withLock { lines in
            defer { recordSize(lines) }
            return lines.append(header, unit, at: place, by: listing)
        }
    }

    /// Records that the next message that is passed over has no line.
    func appendNothing() {
        lines.withLock { lines in
            lines.ends.append(lines.bytes.count)
            recordSize(lines)
        }
    }

    private func recordSize(_ lines: borrowing Lines) {
        guard lines.bytes.count >= Self.bytesMax || lines.ends.count >= Self.countMax else {
            return
        }
        isFullFlag.store(true, ordering: .relaxed)
    }

    /// Exchanges the lines that have been added for an empty buffer.
    func exchange(for room: inout Lines) {
        room.bytes.removeAll(keepingCapacity: true)
        room.ends.removeAll(keepingCapacity: true)
        isFullFlag.store(false, ordering: .relaxed)
        lines.withLock { swap(&$0, &room) }
    }
}
