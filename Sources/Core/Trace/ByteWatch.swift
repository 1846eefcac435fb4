import Wire

/// Bytes that are looked for in streams because a test has sent them.
///
/// They need not decode to anything, so no message shows them.
public struct ByteWatch: Sendable {
    /// The bytes; never empty.
    public let bytes: [UInt8]
    /// What they protect, if they are encrypted.
    public let plain: [UInt8]?
    /// The sender; `nil` for any.
    public let source: Endpoint?
    /// The receiver; `nil` for any.
    public let destination: Endpoint?
    /// The step that sent them; `nil` to look for them repeatedly, without a particular step.
    public let step: Int?
    /// Whether they are a deliberately broken message.
    ///
    /// The next message then begins after them, whatever length they announce.
    public let isBroken: Bool

    /// The state of one direction of a connection.
    fileprivate struct Window {
        /// The last bytes of the stream, fewer than the bytes that are looked for.
        var bytes: [UInt8] = []
        /// The number of these bytes that each frame carried, the oldest frame first.
        var frames: [(frame: Int, count: Int)] = []
    }

    private struct Place: Hashable {
        let flow: Int
        let direction: Direction
    }

    private var windows: [Place: Window] = [:]
    fileprivate var isDone = false

    /// Creates a watch; `nil` without bytes.
    public init?(
        _ bytes: [UInt8], from source: Endpoint?, to destination: Endpoint?, step: Int?,
        isBroken: Bool = false, protecting plain: [UInt8]? = nil
    ) {
        guard !bytes.isEmpty else { return nil }
        self.bytes = bytes
        self.plain = plain
        self.source = source
        self.destination = destination
        self.step = step
        self.isBroken = isBroken
    }

    /// Searches the next bytes of a stream.
    ///
    /// Returns the frames that carried each occurrence, and the offset in these bytes at which it
    /// ends.
    fileprivate mutating func consume(
        _ next: RawSpan, frame: Int, flow: Int, _ direction: Direction
    ) -> [(frames: [Int], end: Int)] {
        let place = Place(flow: flow, direction: direction)
        var window = windows[place] ?? Window()
        var found: [(frames: [Int], end: Int)] = []
        window.frames.append((frame, next.byteCount))
        let known = window.bytes.count
        next.withUnsafeBytes { window.bytes += $0 }
        var start = 0
        while !isDone, start + bytes.count <= window.bytes.count {
            guard window.bytes[start..<start + bytes.count].elementsEqual(bytes) else {
                start += 1
                continue
            }
            let frames = window.frames(of: start..<start + bytes.count)
            start += bytes.count
            found.append((frames, start - known))
            isDone = step != nil
        }
        window.drop(max(start, window.bytes.count - (bytes.count - 1)))
        windows[place] = window
        return found
    }
}

extension ByteWatch.Window {
    fileprivate func frames(of range: Range<Int>) -> [Int] {
        var from = 0
        return frames.compactMap { piece in
            defer { from += piece.count }
            return from < range.upperBound && from + piece.count > range.lowerBound
                ? piece.frame : nil
        }
    }

    /// Discards the first bytes.
    fileprivate mutating func drop(_ count: Int) {
        guard count > 0 else { return }
        bytes.removeFirst(count)
        var left = count
        while left > 0, let first = frames.first {
            let part = min(left, first.count)
            left -= part
            if part == first.count { frames.removeFirst() } else { frames[0].count -= part }
        }
    }
}

/// Bytes that a test has sent, found in the stream.
public struct SentBytes: DissectedMessage {
    /// The name of such messages in a trace.
    public static let name = "tcp.bytes"
    /// The path of the field with the number of the step that sent them.
    public static let stepPath = FieldPath(components: [.name("step")])
    /// The path of the field with the bytes.
    public static let bytesPath = FieldPath(components: [.name("bytes")])

    /// `tcp.bytes`.
    public var name: String { Self.name }
    /// The bytes.
    public let bytes: [UInt8]
    /// The step that sent them; `nil` if any step may have.
    public let step: Int?
    /// Always empty.
    public var anomalies: [Anomaly] { [] }

    /// `bytes`, and `step` if it is known.
    public var fields: Value {
        let number = step.map { [Value.Member("step", .integer(Int64($0)))] } ?? []
        return .object([Value.Member("bytes", .bytes(bytes))] + number)
    }
}

extension Flow {
    /// Looks for bytes in a range of a stream.
    ///
    /// Returns the offsets at which broken messages end, in order.
    mutating func watch(
        _ bytes: RawSpan, _ carrier: CarryingSegment, _ direction: Direction,
        into output: inout TraceOutput
    ) -> [Int] {
        var ends: [Int] = []
        for index in output.watches.indices {
            let watch = output.watches[index]
            guard watch.source.map({ $0 == key.source(direction) }) ?? true,
                watch.destination.map({ $0 == key.destination(direction) }) ?? true
            else { continue }
            let found = output.watches[index].consume(
                bytes, frame: carrier.frame, flow: number, direction)
            for (frames, end) in found {
                if watch.isBroken { ends.append(end) }
                append(
                    SentBytes(bytes: watch.plain ?? watch.bytes, step: watch.step), frames: frames,
                    direction,
                    into: &output)
            }
        }
        output.watches.removeAll(where: \.isDone)
        return ends.sorted()
    }
}

extension ByteWatch {
    /// The name of the event by which a capture of the harness records bytes that were sent.
    private static let eventName = "harness.sent"

    /// The event that represents this watch in a capture's metadata.
    public var event: DeviceEvent {
        var members = [Value.Member("bytes", .string(bytes.hexText))]
        if let source { members.append(Value.Member("from", .string(source.description))) }
        if let destination { members.append(Value.Member("to", .string(destination.description))) }
        if let step { members.append(Value.Member("step", .integer(Int64(step)))) }
        if let plain { members.append(Value.Member("plain", .string(plain.hexText))) }
        if isBroken { members.append(Value.Member("broken", true)) }
        return DeviceEvent(name: Self.eventName, fields: .object(members))
    }

    /// Creates the watch that an event represents; `nil` for any other event.
    public init?(_ event: DeviceEvent) {
        guard event.name == Self.eventName,
            let bytes = event.fields["bytes"]?.stringValue.flatMap([UInt8].init(hexDigits:))
        else { return nil }
        self.init(
            bytes, from: event.fields["from"]?.stringValue.flatMap(Endpoint.init),
            to: event.fields["to"]?.stringValue.flatMap(Endpoint.init),
            step: event.fields["step"]?.integerValue.flatMap { Int(exactly: $0) },
            isBroken: event.fields["broken"] == true,
            protecting: event.fields["plain"]?.stringValue.flatMap([UInt8].init(hexDigits:)))
    }
}
