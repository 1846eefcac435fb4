import Reporting
import SuiteLanguage
import Trace
import Wire

/// The statistics of several captures: a line for each, and all of them together.
public struct SeveralStatistics: Sendable {
    private var paths: [String] = []
    /// The counts of each capture.
    private var rows: [[String]] = []
    private var messages: MessageStatistics
    private var seen = TraceStatistics()

    /// Creates empty statistics.
    ///
    /// - Parameter known: The messages, and which of them answers which.
    public init(_ known: KnownMessages) {
        messages = MessageStatistics(known)
    }

    /// Adds the statistics of a capture.
    public mutating func add(
        _ messages: MessageStatistics, _ seen: TraceStatistics, of path: String
    ) {
        paths.append(path)
        let counts = [
            messages.messageCount, seen.packets, seen.bytes, seen.flows, seen.gaps,
            seen.ignored.values.reduce(0, +), seen.undecodedBytes,
        ]
        rows.append(counts.map(String.init))
        self.messages.append(messages)
        self.seen.add(seen)
    }

    /// Returns messages by kind and the other statistics.
    ///
    /// For several captures a line for each comes first.
    public func table(_ listing: TraceListing) -> [String] {
        guard let path = paths.first else { return [] }
        let isOne = paths.count == 1
        let folder = CommonFolder.of(Set(paths))
        let heading = [
            folder.isEmpty ? "capture" : "capture in \(PlainText.line(folder))", "messages",
            "packets", "bytes", "connections", "gaps", "not dissected",
            "not decoded",
        ]
        let named = zip(paths, rows).map { path, counts in
            [PlainText.line(CommonFolder.name(path, below: folder))] + counts
        }
        return (isOne ? [] : Columns.table([heading] + named) + [""]) + messages.table()
            + listing.summary(of: seen, path: isOne ? path : "\(paths.count) captures")
    }
}

extension TraceStatistics {
    /// Adds the statistics of another capture.
    fileprivate mutating func add(_ other: TraceStatistics) {
        let ignored = ignored.merging(other.ignored, uniquingKeysWith: +)
        merge(share: other)
        self.ignored = ignored
        packets += other.packets
        bytes += other.bytes
        truncatedPackets += other.truncatedPackets
        untimedPackets += other.untimedPackets
        copiedDatagrams += other.copiedDatagrams
    }
}
