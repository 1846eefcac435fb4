import Bluetooth

/// The initiating end of an RFCOMM session with one channel (TS 07.10, RFCOMM 1.2).
struct SerialClient: Sendable {
    /// What has happened.
    enum Event: Sendable, Hashable {
        case opened
        case received([UInt8])
        case closed
    }

    private enum State: Sendable {
        case multiplexer, parameters, channel, open, closed
    }

    /// The maximum payload of a frame that it accepts, in bytes.
    private static let frameMax: UInt16 = 990
    /// The number of frames that the other end may have in flight.
    private static let window = 7

    private let dlci: UInt8
    private var state = State.multiplexer
    /// The number of frames that may be sent; `nil` if they are not counted.
    private var credits: Int?
    /// The number of frames that the other end may still send.
    private var given = window
    private var frameSize = 127
    private var waiting: [UInt8] = []
    private var frames: [RFCOMMFrame]

    /// Starts to open a server channel.
    init(channel: UInt8) {
        dlci = channel << 1
        frames = [RFCOMMFrame(.sabm, dlci: 0)]
    }

    /// Returns the frames to send since the last call.
    mutating func takeFrames() -> [[UInt8]] {
        defer { frames = [] }
        return frames.map(\.bytes)
    }

    /// Sends bytes as soon as the other end accepts them.
    mutating func send(_ bytes: [UInt8]) {
        waiting += bytes
        sendWaiting()
    }

    private mutating func sendWaiting() {
        while state == .open, !waiting.isEmpty, credits != 0 {
            let part = Array(waiting.prefix(frameSize))
            waiting.removeFirst(part.count)
            credits = credits.map { $0 - 1 }
            frames.append(RFCOMMFrame(.uih, dlci: dlci, payload: part))
        }
    }

    /// Handles a frame of the other end.
    mutating func consume(_ bytes: [UInt8]) -> [Event] {
        guard let frame = try? RFCOMMFrame(parsing: bytes) else { return [] }
        switch frame.kind {
        case .ua: return accepted()
        case .dm: return close()
        case .disc:
            frames.append(RFCOMMFrame(.ua, dlci: frame.dlci, isCommand: false))
            return close()
        case .uih where frame.dlci == 0: return commands(frame.payload)
        case .uih where frame.dlci == dlci: return data(frame)
        case .uih, .sabm: return []
        }
    }

    private mutating func close() -> [Event] {
        guard state != .closed else { return [] }
        state = .closed
        return [.closed]
    }

    private mutating func accepted() -> [Event] {
        switch state {
        case .multiplexer:
            state = .parameters
            command(
                .negotiation(.init(dlci: dlci, frameSize: Self.frameMax, credits: 7)),
                isCommand: true)
        case .channel:
            state = .open
            command(.modemStatus(dlci: dlci, signals: 0x8D, breakSignal: nil), isCommand: true)
            sendWaiting()
            return [.opened]
        case .parameters, .open, .closed: break
        }
        return []
    }

    private mutating func command(_ content: RFCOMMCommand.Content, isCommand: Bool) {
        frames.append(
            RFCOMMFrame(
                .uih, dlci: 0, payload: RFCOMMCommand(content, isCommand: isCommand).bytes))
    }

    private mutating func commands(_ payload: [UInt8]) -> [Event] {
        for found in RFCOMMCommand.list(payload) {
            switch found.content {
            case .negotiation(let agreed) where !found.isCommand && state == .parameters:
                let isCounted = agreed.convergence == RFCOMMCommand.Negotiation.creditsAgreed
                credits = isCounted ? Int(agreed.credits) : nil
                frameSize = max(1, Int(min(agreed.frameSize, Self.frameMax)))
                state = .channel
                frames.append(RFCOMMFrame(.sabm, dlci: dlci))
            case .other(let type, _) where found.isCommand:
                command(.notSupported(type), isCommand: false)
            case let content where found.isCommand: command(content, isCommand: false)
            default: break
            }
        }
        return []
    }

    private mutating func data(_ frame: RFCOMMFrame) -> [Event] {
        credits = credits.map { $0 + Int(frame.credits ?? 0) }
        sendWaiting()
        guard state == .open, !frame.payload.isEmpty else { return [] }
        given -= 1
        if credits != nil, given <= Self.window / 2 {
            frames.append(
                RFCOMMFrame(.uih, dlci: dlci, credits: UInt8(clamping: Self.window - given)))
            given = Self.window
        }
        return [.received(frame.payload)]
    }
}
