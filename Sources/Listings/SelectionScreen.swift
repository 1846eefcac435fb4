import Reports
import Synchronization
import Trace
import Wire

/// Passes over the messages that a selection does not contain, and those of which the listing's line
/// can be written by the header.
struct SelectionScreen: MessageScreen {
    private struct State {
        let selection: MessageSelection
        let listing: TraceListing?
        let lines: HeaderLines?
        /// Whether a header may say enough to pass a sound message over.
        let decidesByHeader: Bool
        /// Whether there is a column, or something in the selection, that a header does not tell.
        let needsFrames: Bool

        mutating func wants(
            _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
        ) -> Bool {
            // What is wanted whole makes the engine call who takes the lines out.
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

        mutating func wants(event code: MessageCode, at place: MessagePlace) -> Bool {
            selection.contains(code, at: place) || passOver()
        }

        private func passOver() -> Bool {
            lines?.appendNothing()
            return false
        }
    }

    /// One, in an array because a value of one word lies in an existential itself: what is larger
    /// lies in a box that must be found unique at every call.
    private var state: [State]

    /// Makes a screen.
    ///
    /// - Parameters:
    ///   - selection: What is wanted.
    ///   - listing: Who writes lines, if lines are what is wanted.
    ///   - lines: Where the lines go, an empty one for what is not selected.
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

    mutating func wants(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        state[0].wants(header, unit, at: place)
    }

    mutating func wants(
        event code: MessageCode, byteCount: Int, at place: MessagePlace
    ) -> Bool {
        state[0].wants(event: code, at: place)
    }
}

/// The lines of messages that were passed over, until they are put between those of the others.
///
/// The engine owns the screen that writes them; they are taken out here.
final class HeaderLines: Sendable {
    /// Lines, and where that of each message ends.
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

    /// Bytes and messages that should not be left here for longer.
    private static let bytesMax = 1 << 16
    private static let countMax = 1 << 12

    private let lines = Mutex(Lines())
    private let isFullFlag = Atomic(false)

    /// Whether there are so many that they should be taken out.
    var isFull: Bool { isFullFlag.load(ordering: .relaxed) }

    /// Adds the line of the next message that is passed over, if its header tells all of it.
    ///
    /// - Returns: Whether it does.
    func append(
        _ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace, by listing: TraceListing
    ) -> Bool {
        lines.withLock { lines in
            defer { noteSize(lines) }
            return lines.append(header, unit, at: place, by: listing)
        }
    }

    /// Notes that the next message that is passed over has no line.
    func appendNothing() {
        lines.withLock { lines in
            lines.ends.append(lines.bytes.count)
            noteSize(lines)
        }
    }

    private func noteSize(_ lines: borrowing Lines) {
        guard lines.bytes.count >= Self.bytesMax || lines.ends.count >= Self.countMax else {
            return
        }
        isFullFlag.store(true, ordering: .relaxed)
    }

    /// Exchanges what has been added since for room that is empty.
    func exchange(for room: inout Lines) {
        room.bytes.removeAll(keepingCapacity: true)
        room.ends.removeAll(keepingCapacity: true)
        isFullFlag.store(false, ordering: .relaxed)
        lines.withLock { swap(&$0, &room) }
    }
}
