import Capture

/// The whole trace of a capture file.
///
/// Everything is held in memory; for large captures, drive a `TraceEngine` instead.
public struct RecordedTrace: Sendable {
    /// The messages, in order.
    public let messages: [TraceMessage]
    /// What was captured, and what did not become a message, in numbers.
    public let statistics: TraceStatistics
    /// The metadata of the file.
    public let metadata: CaptureMetadata
    /// Why the file could not be read to its end; the messages are those before the fault.
    public let damage: CaptureError?

    /// Reads a pcap or pcapng file.
    ///
    /// - Throws: `CaptureError` if the file cannot be opened or is not a capture; a fault further
    ///   on is `damage`.
    public init(
        contentsOf path: String, options: TraceOptions
    ) throws(CaptureError) {
        var file = try CaptureFile(path: path, keyLogs: options.secrets.adding)
        var engine = TraceEngine(options)
        var messages: [TraceMessage] = []
        var damage: CaptureError?
        do throws(CaptureError) {
            while let packet = try file.next() {
                engine.consume(packet, into: &messages)
            }
        } catch {
            damage = error
        }
        engine.finish(at: nil, into: &messages)
        self.messages = messages
        self.damage = damage
        statistics = engine.statistics
        metadata = file.metadata
    }
}
