/// The serial port of a paged device: an RFCOMM session with one channel (TS 07.10, RFCOMM 1.2).
struct SerialServer: Sendable {
    /// What the host has done.
    enum ChannelEvent: Sendable, Hashable {
        case opened
        case received([UInt8])
        case closed
    }

    private enum Kind {
        static let sabm: UInt8 = 0x2F
        static let ua: UInt8 = 0x63
        static let dm: UInt8 = 0x0F
        static let disc: UInt8 = 0x43
        static let uih: UInt8 = 0xEF
    }

    /// The types of the multiplexer's commands (TS 07.10 5.4.6.3).
    private enum Command {
        static let negotiation: UInt8 = 0x20
        static let modemStatus: UInt8 = 0x38
        static let notSupported: UInt8 = 0x04
        /// Test, flow control on and flow control off: they are answered with the same contents.
        static let echoed: Set<UInt8> = [0x08, 0x28, 0x18]
    }

    /// The longest payload of a frame, in bytes: with its header it fits into a unit.
    private static let frameMax = 1_000
    /// The number of frames that the host may have in flight.
    private static let window = 7
    private static let polled: UInt8 = 0x10

    private let channel: UInt8
    private(set) var isOpen = false
    private var usesCredits = false
    /// The number of frames that may be sent.
    private var credits = 0
    /// The number of frames that the host may still send.
    private var given = 0
    private var frameSize = 127
    private var waiting: [UInt8] = []
    private var frames: [[UInt8]] = []

    /// Creates a port that is not open.
    init(channel: UInt8) { self.channel = channel }

    private var dlci: UInt8 { channel << 1 }

    /// Returns the frames for the host since the last call.
    mutating func takeFrames() -> [[UInt8]] {
        defer { frames = [] }
        return frames
    }

    /// Sends bytes as soon as the host accepts them.
    mutating func send(_ bytes: [UInt8]) {
        waiting += bytes
        sendWaiting()
    }

    /// Closes the channel.
    mutating func close() {
        guard isOpen else { return }
        frames.append(Self.frame(Kind.disc | Self.polled, dlci, isCommand: false))
        end()
    }

    private mutating func end() {
        isOpen = false
        waiting = []
    }

    private mutating func sendWaiting() {
        while isOpen, !waiting.isEmpty, credits > 0 || !usesCredits {
            let part = Array(waiting.prefix(frameSize))
            waiting.removeFirst(part.count)
            credits -= 1
            frames.append(Self.frame(Kind.uih, dlci, isCommand: false, part))
        }
    }

    // MARK: Frames from the host

    /// Processes a frame; an unreadable frame is dropped.
    mutating func consume(_ bytes: [UInt8]) -> [ChannelEvent] {
        guard bytes.count >= 4 else { return [] }
        let (address, control) = (bytes[0], bytes[1])
        let isLong = bytes[2] & 1 == 0
        let length = Int(bytes[2] >> 1) | (isLong ? Int(bytes[3]) << 7 : 0)
        let head = isLong ? 4 : 3
        guard bytes.count > head else { return [] }
        let kind = control & ~Self.polled
        let sum = Self.sum(bytes.prefix(kind == Kind.uih ? 2 : head))
        guard bytes.last == sum else { return [] }
        var body = bytes[head..<(bytes.count - 1)]
        let port = address >> 2
        if kind == Kind.uih, control & Self.polled != 0, port != 0 {
            credits += Int(body.popFirst() ?? 0)
        }
        guard body.count == length else { return [] }
        switch kind {
        case Kind.sabm: return open(port)
        case Kind.disc:
            frames.append(Self.frame(Kind.ua | Self.polled, port, isCommand: true))
            guard isOpen, port == 0 || port == dlci else { return [] }
            end()
            return [.closed]
        case Kind.uih where port == 0: commands(body)
        case Kind.uih where port == dlci && isOpen: return data(Array(body))
        default: break
        }
        return []
    }

    private mutating func open(_ port: UInt8) -> [ChannelEvent] {
        let isKnown = port == 0 || port == dlci
        frames.append(
            Self.frame((isKnown ? Kind.ua : Kind.dm) | Self.polled, port, isCommand: true))
        guard isKnown, port != 0, !isOpen else { return [] }
        isOpen = true
        command(Command.modemStatus, isCommand: true, [dlci << 2 | 3, 0x8D])
        return [.opened]
    }

    private mutating func data(_ bytes: [UInt8]) -> [ChannelEvent] {
        defer { sendWaiting() }
        guard !bytes.isEmpty else { return [] }
        given -= 1
        if usesCredits, given <= Self.window / 2 {
            let more = UInt8(clamping: Self.window - given)
            given = Self.window
            frames.append(
                Self.frame(Kind.uih | Self.polled, dlci, isCommand: false, credits: more))
        }
        return [.received(bytes)]
    }

    // MARK: The multiplexer

    private mutating func commands(_ bytes: ArraySlice<UInt8>) {
        var reader = LittleEndianReader(bytes)
        while let head = reader.byte(), let size = reader.byte(), size & 1 == 1,
            let data = reader.consume(Int(size >> 1)).map(Array.init)
        {
            guard head & 2 != 0 else { continue }
            let type = head >> 2
            switch type {
            case Command.negotiation where data.count == 8: negotiate(data)
            case Command.modemStatus: command(type, isCommand: false, data)
            case let type where Command.echoed.contains(type):
                command(type, isCommand: false, data)
            default: command(Command.notSupported, isCommand: false, [head])
            }
        }
    }

    /// Negotiates the size of frames, and credits if the host requests them.
    ///
    /// See TS 07.10 5.4.6.3.1 and RFCOMM 1.2 5.5.3.
    private mutating func negotiate(_ requested: [UInt8]) {
        guard requested[0] == dlci else {
            return frames.append(
                Self.frame(Kind.dm | Self.polled, requested[0] & 0x3F, isCommand: true))
        }
        frameSize = max(1, min(Self.frameMax, Int(requested[4]) | Int(requested[5]) << 8))
        usesCredits = requested[1] >> 4 == 15
        var answer = requested
        answer[1] = usesCredits ? 0xE0 : 0
        answer[4] = UInt8(low: frameSize)
        answer[5] = UInt8(low: frameSize >> 8)
        if usesCredits {
            credits = Int(requested[7] & 7)
            given = Self.window
            answer[7] = UInt8(low: Self.window)
        }
        command(Command.negotiation, isCommand: false, answer)
    }

    private mutating func command(_ type: UInt8, isCommand: Bool, _ data: [UInt8]) {
        let head = type << 2 | (isCommand ? 2 : 0) | 1
        let size = UInt8(clamping: data.count << 1) | 1
        frames.append(Self.frame(Kind.uih, 0, isCommand: false, [head, size] + data))
    }

    // MARK: Bytes of frames

    /// Encodes a frame (5.2).
    static func frame(
        _ control: UInt8, _ dlci: UInt8, isCommand: Bool, _ payload: [UInt8] = [],
        credits: UInt8? = nil
    ) -> [UInt8] {
        let length =
            payload.count < 0x80
            ? [UInt8(low: payload.count << 1 | 1)]
            : [UInt8(low: payload.count << 1) & 0xFE, UInt8(low: payload.count >> 7)]
        let start = [dlci << 2 | (isCommand ? 2 : 0) | 1, control]
        let isData = control & ~polled == Kind.uih
        let check = sum((isData ? start : start + length)[...])
        return start + length + (credits.map { [$0] } ?? []) + payload + [check]
    }

    /// The frame check sequence (5.2.1.6): CRC-8 of x^8 + x^2 + x + 1, reflected.
    private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        ~bytes.reduce(0xFF) { remainder, byte in
            (0..<8).reduce(remainder ^ byte) { value, _ in
                value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xE0
            }
        }
    }
}
