import Protocols
import Synchronization
import Trace

/// Passes over the messages that a selection does not contain, and those of which the listing's line
/// can be written by the head.
struct SelectionScreen: MessageScreen {
    private struct State {
        let selection: MessageSelection
        let listing: TraceListing?
        let lines: LinesOfHeads?
        /// Whether a head may say enough to pass a sound message over.
        let decidesByHead: Bool
        var line: [UInt8] = []

        mutating func wants(
            _ head: MessageHead, _ unit: RawSpan, at place: MessagePlace
        ) -> Bool {
            line.removeAll(keepingCapacity: true)
            guard isWantedWhole(head, unit, place) else {
                lines?.append(line)
                return false
            }
            return true
        }

        private mutating func isWantedWhole(
            _ head: MessageHead, _ unit: RawSpan, _ place: MessagePlace
        ) -> Bool {
            guard selection.mayContain(head.code, at: place) else { return false }
            guard decidesByHead, head.isSound(unit) else { return true }
            switch selection.contains(head, unit, at: place) {
            case false?: return false
            case true?: return listing?.append(head, unit, at: place, to: &line) != true
            case nil: return true
            }
        }

        mutating func wants(event code: MessageCode, at place: MessagePlace) -> Bool {
            if selection.contains(code, at: place) { return true }
            lines?.append([])
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
        _ selection: MessageSelection, listing: TraceListing? = nil, lines: LinesOfHeads? = nil
    ) {
        let decides =
            selection.isToldByHeads
            && (selection.hasFilter || listing?.isToldByHeads == true)
        state = [
            State(
                selection: selection, listing: listing, lines: lines, decidesByHead: decides)
        ]
    }

    mutating func wants(
        _ head: MessageHead, _ unit: RawSpan, at place: MessagePlace
    ) -> Bool {
        state[0].wants(head, unit, at: place)
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
final class LinesOfHeads: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// Where the line of each message ends.
        var ends: [Int] = []
    }

    private let state = Mutex(State())

    /// Adds the line of the next message that is passed over; an empty one if it has none.
    func append(_ line: [UInt8]) {
        state.withLock { state in
            state.bytes += line
            state.ends.append(state.bytes.count)
        }
    }

    /// Takes what has been added since.
    func take() -> (bytes: [UInt8], ends: [Int]) {
        state.withLock { state in
            defer {
                state.bytes.removeAll(keepingCapacity: true)
                state.ends.removeAll(keepingCapacity: true)
            }
            return (state.bytes, state.ends)
        }
    }

    /// Adds all lines to others and forgets them; returns of how many messages they are.
    func move(to bytes: inout [UInt8]) -> Int {
        state.withLock { state in
            defer {
                state.bytes.removeAll(keepingCapacity: true)
                state.ends.removeAll(keepingCapacity: true)
            }
            bytes += state.bytes
            return state.ends.count
        }
    }
}
