import Bluetooth

/// The serial port of a paged device: an RFCOMM session with one channel (TS 07.10, RFCOMM 1.2).
struct SerialServer: Sendable {
    /// What the host has done.
    enum ChannelEvent: Sendable, Hashable {
        case opened
        case received([UInt8])
        case closed
    }

    /// The longest payload of a frame, in bytes: with its header it fits into a unit.
    private static let frameMax = 1_000
    /// The number of frames that the host may have in flight.
    private static let window = 7

    private let channel: UInt8
    private(set) var isOpen = false
    private var usesCredits = false
    /// The number of frames that may be sent.
    private var credits = 0
    /// The number of frames that the host may still send.
    private var given = 0
    private var frameSize = 127
    private var waiting: [UInt8] = []
    private var frames: [RFCOMMFrame] = []

    /// Creates a port that is not open.
    init(channel: UInt8) { self.channel = channel }

    private var dlci: UInt8 { channel << 1 }

    /// Returns the frames for the host since the last call.
    mutating func takeFrames() -> [[UInt8]] {
        defer { frames = [] }
        return frames.map(\.bytes)
    }

    /// Sends bytes as soon as the host accepts them.
    mutating func send(_ bytes: [UInt8]) {
        waiting += bytes
        sendWaiting()
    }

    /// Closes the channel.
    mutating func close() {
        guard isOpen else { return }
        frames.append(RFCOMMFrame(.disc, dlci: dlci, isCommand: false))
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
            frames.append(RFCOMMFrame(.uih, dlci: dlci, isCommand: false, payload: part))
        }
    }

    // MARK: Frames from the host

    /// Processes a frame; an unreadable frame is dropped.
    mutating func consume(_ bytes: [UInt8]) -> [ChannelEvent] {
        guard let frame = try? RFCOMMFrame(parsing: bytes) else { return [] }
        switch frame.kind {
        case .sabm: return open(frame.dlci)
        case .disc:
            frames.append(RFCOMMFrame(.ua, dlci: frame.dlci))
            guard isOpen, frame.dlci == 0 || frame.dlci == dlci else { return [] }
            end()
            return [.closed]
        case .uih where frame.dlci == 0:
            for command in RFCOMMCommand.list(frame.payload) where command.isCommand {
                answer(command)
            }
        case .uih where frame.dlci == dlci && isOpen: return data(frame)
        case .uih, .ua, .dm: break
        }
        return []
    }

    private mutating func open(_ port: UInt8) -> [ChannelEvent] {
        let isKnown = port == 0 || port == dlci
        frames.append(RFCOMMFrame(isKnown ? .ua : .dm, dlci: port))
        guard isKnown, port != 0, !isOpen else { return [] }
        isOpen = true
        command(.modemStatus(dlci: dlci, signals: 0x8D, breakSignal: nil), isCommand: true)
        return [.opened]
    }

    private mutating func data(_ frame: RFCOMMFrame) -> [ChannelEvent] {
        credits += Int(frame.credits ?? 0)
        defer { sendWaiting() }
        guard !frame.payload.isEmpty else { return [] }
        given -= 1
        if usesCredits, given <= Self.window / 2 {
            let more = UInt8(clamping: Self.window - given)
            given = Self.window
            frames.append(RFCOMMFrame(.uih, dlci: dlci, isCommand: false, credits: more))
        }
        return [.received(frame.payload)]
    }

    // MARK: The multiplexer

    private mutating func answer(_ request: RFCOMMCommand) {
        switch request.content {
        case .negotiation(let requested): negotiate(requested)
        case .modemStatus, .test, .flowOn, .flowOff: command(request.content, isCommand: false)
        // The answer repeats the first byte of the command (5.4.6.3.8).
        case .notSupported, .other:
            command(.other(type: 0x04, [request.type << 2 | 3]), isCommand: false)
        }
    }

    /// Negotiates the size of frames, and credits if the host requests them.
    ///
    /// See TS 07.10 5.4.6.3.1 and RFCOMM 1.2 5.5.3.
    private mutating func negotiate(_ requested: RFCOMMCommand.Negotiation) {
        guard requested.dlci == dlci else {
            return frames.append(RFCOMMFrame(.dm, dlci: requested.dlci))
        }
        frameSize = max(1, min(Self.frameMax, Int(requested.frameSize)))
        usesCredits = requested.convergence == RFCOMMCommand.Negotiation.creditsAsked
        var answer = requested
        answer.frameSize = UInt16(frameSize)
        answer.convergence = usesCredits ? RFCOMMCommand.Negotiation.creditsAgreed : 0
        if usesCredits {
            credits = Int(requested.credits)
            given = Self.window
            answer.credits = UInt8(Self.window)
        }
        command(.negotiation(answer), isCommand: false)
    }

    private mutating func command(_ content: RFCOMMCommand.Content, isCommand: Bool) {
        let command = RFCOMMCommand(content, isCommand: isCommand)
        frames.append(RFCOMMFrame(.uih, dlci: 0, isCommand: false, payload: command.bytes))
    }
}
