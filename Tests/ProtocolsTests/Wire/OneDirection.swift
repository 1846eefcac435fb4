import BuiltInProtocols
import Wire

/// One direction of a connection, for tests that need only one.
struct OneDirection {
    private var connection: any ConnectionDecoder

    init(_ connection: any ConnectionDecoder) {
        self.connection = connection
    }

    var oldestPendingOffset: UInt64 { connection.oldestPendingOffset(of: .first) }

    mutating func consume(
        _ bytes: RawSpan, at offset: UInt64, into messages: inout [StreamMessage]
    ) {
        connection.consume(bytes, from: .first, at: offset, into: &messages)
    }

    mutating func gap(upTo offset: UInt64, into messages: inout [StreamMessage]) {
        connection.gap(upTo: offset, from: .first, into: &messages)
    }

    mutating func finish(_ end: StreamEnd = .closed, into messages: inout [StreamMessage]) {
        connection.finish(.first, end, into: &messages)
    }
}

extension StreamProtocol {
    /// Returns a decoder of one direction that may carry any protocol of the catalogue.
    func makeDecoder() -> OneDirection {
        OneDirection(makeDecoder(DissectionStack(ProtocolRegistry.builtIn.streamProtocols)))
    }
}
