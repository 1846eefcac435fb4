/// A screen at one place of the trace, as decoders meet it.
public struct Screening: Sendable {
    /// Who is asked.
    public var screen: any MessageScreen { current }
    @usableFromInline var current: any MessageScreen
    /// Whether everything is wanted, so that nobody need be asked.
    public let wantsAll: Bool
    /// Whether the screen only counts.
    public let onlyCounts: Bool
    /// Whether the screen wants no message whole.
    public let wantsNone: Bool
    /// Whether anybody asks which frames carried a message.
    public let needsFrames: Bool
    /// Where the bytes stand that are being decoded.
    public var place = MessagePlace(flow: 0, slot: 0, isFromFirst: true, nanoseconds: 0, frame: 0)
    /// How many messages were not wanted.
    @usableFromInline var passedOver = 0
    /// What the decoder's `oldestPendingOffset` is behind the call that asked.
    public var oldestPendingOffset: UInt64 = 0
    /// Whether the message at the front of the bytes has been asked for already, and is wanted.
    public var isAsked = false
    /// What a `HeaderReader` must know to go on behind the call that asked; `nil` if it may not.
    public var agreement: HeaderContext?
    /// What is to be counted and has not been.
    @usableFromInline var counted = CountedHeaders()

    private struct Everything: MessageScreen {
        func wants(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool {
            true
        }
    }

    /// Whether no message of that name is ever wanted whole.
    public func wantsNothing(of code: MessageCode) -> Bool {
        wantsNone || current.wantsNothing(of: code)
    }

    /// Changes the screen, if it is one of that type.
    public mutating func withScreen<Screen: MessageScreen>(
        _ type: Screen.Type, _ body: (inout Screen) -> Void
    ) {
        guard var own = current as? Screen else { return }
        // The value must not be shared while it is changed, or it would be copied.
        current = Everything()
        body(&own)
        current = own
    }

    /// Puts a screen to work; without one everything is wanted.
    public init(_ screen: (any MessageScreen)? = nil) {
        wantsAll = screen == nil
        onlyCounts = screen?.onlyCounts ?? false
        wantsNone = screen?.wantsNone ?? false
        needsFrames = screen?.needsFrames ?? true
        current = screen ?? Everything()
    }

    /// Asks for a message; counts it if it is not wanted.
    @inlinable
    public mutating func passesOver(_ header: MessageHeader, _ unit: RawSpan) -> Bool {
        if wantsAll { return false }
        if onlyCounts {
            count(header.code, header.byteCount, correlation: header.correlation)
            return true
        }
        if current.wants(header, unit, at: place), !wantsNone { return false }
        passedOver += 1
        return true
    }

    /// Asks for an event of the connection; counts it if it is not wanted.
    @inlinable
    public mutating func passesOver(event code: MessageCode, byteCount: Int) -> Bool {
        if wantsAll { return false }
        if onlyCounts {
            count(code, byteCount, correlation: 0)
            return true
        }
        if current.wants(event: code, byteCount: byteCount, at: place) { return false }
        passedOver += 1
        return true
    }

    /// Notes a message that is only counted.
    @inlinable @inline(__always)
    mutating func count(_ code: MessageCode, _ byteCount: Int, correlation: UInt64) {
        passedOver += 1
        if counted.isFull { tell() }
        counted.append(
            CountedHeader(
                code: code, slot: Int32(truncatingIfNeeded: place.slot), byteCount: byteCount,
                correlation: correlation, nanoseconds: place.nanoseconds))
    }

    /// Tells the screen what was counted, which must come before anything else that it is told.
    public mutating func tell() {
        if counted.isEmpty { return }
        current.count(counted.take())
    }

    /// Tells of a message that was decoded, at the present place.
    public mutating func note(_ message: any DissectedMessage) {
        tell()
        current.note(message, at: place)
    }

    /// Tells that something of the connection at the present place was not captured.
    public mutating func noteUnseen() {
        tell()
        current.noteUnseen(at: place)
    }

    /// Tells that a connection is over or given up.
    public mutating func release(slot: Int) {
        tell()
        current.release(slot: slot)
    }

    /// Tells which connections are needed soon; see `MessageScreen.prefetch`.
    public mutating func prefetch(_ slots: Span<Int32>) { current.prefetch(slots) }

    /// How many messages were not wanted since this was asked last.
    public mutating func takePassedOver() -> Int {
        defer { passedOver = 0 }
        return passedOver
    }
}
