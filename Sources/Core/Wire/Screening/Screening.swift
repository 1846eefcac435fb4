/// A screen at one place of the trace, as decoders use it.
public struct Screening: Sendable {
    /// The screen that is queried.
    public var screen: any MessageScreen { current }
    @usableFromInline var current: any MessageScreen
    /// Whether everything is wanted, so that no query is necessary.
    public let wantsAll: Bool
    /// Whether the screen only counts.
    public let onlyCounts: Bool
    /// Whether the screen wants no message whole.
    public let wantsNone: Bool
    /// Whether anything needs to know which frames carried a message.
    public let needsFrames: Bool
    /// The place of the bytes that are being decoded.
    public var place = MessagePlace(flow: 0, slot: 0, isFromFirst: true, nanoseconds: 0, frame: 0)
    /// The number of messages that were not wanted.
    @usableFromInline var passedOver = 0
    /// The decoder's `oldestPendingOffset` after the call that queried the screen.
    public var oldestPendingOffset: UInt64 = 0
    /// Whether the screen was queried for the message at the front of the bytes already, and wants
    /// it.
    public var isAsked = false
    /// The context that a `HeaderReader` needs to continue after the call; `nil` if it may not.
    public var agreement: HeaderContext?
    /// The headers that are to be counted and have not been reported.
    @usableFromInline var counted = CountedHeaders()

    private struct Everything: MessageScreen {
        func selects(_ header: MessageHeader, _ unit: RawSpan, at place: MessagePlace) -> Bool {
            true
        }
    }

    /// Returns whether no message of that name is ever wanted whole.
    public func selectsNothing(of code: MessageCode) -> Bool {
        wantsNone || current.selectsNothing(of: code)
    }

    /// Changes the screen, if it has that type.
    public mutating func withScreen<Screen: MessageScreen>(
        _ type: Screen.Type, _ body: (inout Screen) -> Void
    ) {
        guard var own = current as? Screen else { return }
        // The value must not be shared while it is changed, because it would be copied then.
        current = Everything()
        body(&own)
        current = own
    }

    /// Creates a screening with a screen; without one everything is wanted.
    public init(_ screen: (any MessageScreen)? = nil) {
        wantsAll = screen == nil
        onlyCounts = screen?.onlyCounts ?? false
        wantsNone = screen?.wantsNone ?? false
        needsFrames = screen?.needsFrames ?? true
        current = screen ?? Everything()
    }

    /// Queries the screen for a message, and counts the message if it is not wanted.
    @inlinable
    public mutating func passesOver(_ header: MessageHeader, _ unit: RawSpan) -> Bool {
        if wantsAll { return false }
        if onlyCounts {
            count(header.code, header.byteCount, correlation: header.correlation)
            return true
        }
        if current.selects(header, unit, at: place), !wantsNone { return false }
        passedOver += 1
        return true
    }

    /// Queries the screen for an event of the connection, and counts the event if it is not wanted.
    @inlinable
    public mutating func passesOver(event code: MessageCode, byteCount: Int) -> Bool {
        if wantsAll { return false }
        if onlyCounts {
            count(code, byteCount, correlation: 0)
            return true
        }
        if current.selects(event: code, byteCount: byteCount, at: place) { return false }
        passedOver += 1
        return true
    }

    /// Records a message that is only counted.
    @inlinable @inline(__always)
    mutating func count(_ code: MessageCode, _ byteCount: Int, correlation: UInt64) {
        passedOver += 1
        if counted.isFull { notify() }
        counted.append(
            CountedHeader(
                code: code, slot: Int32(truncatingIfNeeded: place.slot), byteCount: byteCount,
                correlation: correlation, nanoseconds: place.nanoseconds))
    }

    /// Reports the counted headers to the screen, which must precede any other notification.
    public mutating func notify() {
        if counted.isEmpty { return }
        current.count(counted.take())
    }

    /// Reports a message that was decoded, at the present place.
    public mutating func record(_ message: any DissectedMessage) {
        notify()
        current.record(message, at: place)
    }

    /// Reports that something of the connection at the present place was not captured.
    public mutating func recordUnseen() {
        notify()
        current.recordUnseen(at: place)
    }

    /// Reports that a connection is over or given up.
    public mutating func release(slot: Int) {
        notify()
        current.release(slot: slot)
    }

    /// Reports which connections are needed soon; see `MessageScreen.prefetch`.
    public mutating func prefetch(_ slots: Span<Int32>) { current.prefetch(slots) }

    /// Returns the number of messages that were not wanted since the last call.
    public mutating func takePassedOver() -> Int {
        defer { passedOver = 0 }
        return passedOver
    }
}
