import TestSupport

/// A way to remove information from a capture, or to damage it.
///
/// Its description identifies it, so that a finding can be reproduced.
enum LossMutation: Hashable, CustomStringConvertible {
    /// The given number of packets from this one on are lost; frames count from 1.
    case drop(frame: Int, count: Int)
    /// Each packet is lost with this probability, in percent.
    case random(percent: Int, seed: UInt64)
    /// The capture begins with this frame.
    case cutStart(frame: Int)
    /// The capture ends before this frame.
    case cutEnd(frame: Int)
    /// Only the packets that one end of each connection sent were captured.
    case oneDirection(fromCaller: Bool)
    /// Packets are cut to this number of bytes.
    case snaplen(Int)
    /// This frame and the next one are swapped, and their times stay or move with them.
    case swap(frame: Int, withTimes: Bool)
    /// The frame is duplicated.
    case duplicate(frame: Int)
    /// Packets are wrapped: all of them, or about one in `share`.
    case wrap(Wrapping, share: Int)
    /// The file declares another link type for its packets.
    case linkType(UInt16)

    enum Wrapping: String, CaseIterable {
        case gre, pppoe, mpls
    }

    /// The kind, for tables.
    var kind: String {
        switch self {
        case .drop(_, 1): "one packet lost"
        case .drop: "burst of 2 to 8 lost"
        case .random: "5 to 40 % lost"
        case .cutStart: "start cut"
        case .cutEnd: "end cut"
        case .oneDirection: "one direction only"
        case .snaplen: "snaplen"
        case .swap(_, false): "neighbours swapped, times in order"
        case .swap(_, true): "neighbours swapped, times backwards"
        case .duplicate: "packet twice"
        case .wrap(let wrapping, _): "in \(wrapping.rawValue)"
        case .linkType: "other link type"
        }
    }

    var description: String {
        switch self {
        case .drop(let frame, 1): "drop \(frame)"
        case .drop(let frame, let count): "drop \(frame) to \(frame + count - 1)"
        case .random(let percent, let seed): "lose \(percent) % seed \(seed)"
        case .cutStart(let frame): "begin with \(frame)"
        case .cutEnd(let frame): "end before \(frame)"
        case .oneDirection(let fromCaller): fromCaller ? "only from caller" : "only from callee"
        case .snaplen(let count): "snaplen \(count)"
        case .swap(let frame, false): "swap \(frame) and \(frame + 1)"
        case .swap(let frame, true): "swap \(frame) and \(frame + 1) with their times"
        case .duplicate(let frame): "duplicate \(frame)"
        case .wrap(let wrapping, 1): "\(wrapping.rawValue) all"
        case .wrap(let wrapping, let share): "\(wrapping.rawValue) 1 in \(share)"
        case .linkType(let number): "link type \(number)"
        }
    }

    /// Returns every mutation of a capture with this number of packets.
    static func all(packetCount: Int) -> [LossMutation] {
        let frames = 1...max(1, packetCount)
        var all = frames.map { LossMutation.drop(frame: $0, count: 1) }
        for count in 2...8 where count <= packetCount {
            all += (1...(packetCount - count + 1)).map { .drop(frame: $0, count: count) }
        }
        for percent in stride(from: 5, through: 40, by: 5) {
            all += (1...12).map { .random(percent: percent, seed: $0) }
        }
        all += frames.dropFirst().map { .cutStart(frame: $0) }
        all += frames.map { .cutEnd(frame: $0) }
        all += [.oneDirection(fromCaller: true), .oneDirection(fromCaller: false)]
        all += stride(from: 40, through: 200, by: 4).map { .snaplen($0) }
        for withTimes in [false, true] {
            all += frames.dropLast().map { .swap(frame: $0, withTimes: withTimes) }
        }
        all += frames.map { .duplicate(frame: $0) }
        for wrapping in Wrapping.allCases {
            all += [1, 2, 3, 8].map { .wrap(wrapping, share: $0) }
        }
        return all + [.linkType(147), .linkType(12)]
    }

    /// Returns the indices of the packets that are no longer in the capture.
    func lost(of segments: [LossSegment?]) -> Set<Int> {
        switch self {
        case .drop(let frame, let count):
            return Set((frame - 1)..<(frame - 1 + count))
        case .random(let percent, let seed):
            var generator = SeededGenerator(seed: seed &* 100 &+ UInt64(percent))
            return Set(segments.indices.filter { _ in generator.below(100) < percent })
        case .cutStart(let frame):
            return Set(0..<(frame - 1))
        case .cutEnd(let frame):
            return Set((frame - 1)..<segments.count)
        case .oneDirection(let fromCaller):
            return Set(
                segments.indices.filter { index in
                    segments[index].map { $0.isFromCaller != fromCaller } ?? false
                })
        case .snaplen, .swap, .duplicate, .wrap, .linkType:
            return []
        }
    }

    /// Returns the mutated capture.
    func applied(to capture: LossCapture, _ segments: [LossSegment?]) -> LossCapture {
        var other = capture
        switch self {
        case .drop, .random, .cutStart, .cutEnd, .oneDirection:
            other = capture.without(lost(of: segments))
        case .snaplen(let count):
            for index in other.packets.indices {
                other.packets[index].bytes = Array(other.packets[index].bytes.prefix(count))
            }
        case .swap(let frame, let withTimes):
            other.packets.swapAt(frame - 1, frame)
            if !withTimes {
                other.packets[frame - 1].time = capture.packets[frame - 1].time
                other.packets[frame].time = capture.packets[frame].time
            }
        case .duplicate(let frame):
            other.packets.insert(capture.packets[frame - 1], at: frame)
        case .wrap(let wrapping, let share):
            var generator = SeededGenerator(seed: UInt64(share))
            for index in other.packets.indices where generator.below(share) == 0 {
                other.packets[index] = other.packets[index].wrapped(in: wrapping)
            }
        case .linkType(let number):
            other.linkType = number
        }
        return other
    }
}

extension LossPacket {
    /// Returns the packet inside a tunnel, over Ethernet.
    fileprivate func wrapped(in wrapping: LossMutation.Wrapping) -> LossPacket {
        let inner = Array(bytes.dropFirst(14))
        let isIPv6 = inner.first.map { $0 >> 4 == 6 } ?? false
        let macs = [UInt8](repeating: 2, count: 12)
        func word(_ number: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
        }
        let outer: [UInt8]
        switch wrapping {
        case .gre:
            let addresses: [UInt8] = [192, 0, 2, 1, 192, 0, 2, 2]
            outer =
                [0x08, 0x00, 0x45, 0] + word(inner.count + 24) + [0, 1, 0, 0, 64, 47, 0, 0]
                + addresses + [0, 0] + (isIPv6 ? [0x86, 0xDD] : [0x08, 0x00])
        case .pppoe:
            outer =
                [0x88, 0x64, 0x11, 0, 0, 7] + word(inner.count + 2) + [0, isIPv6 ? 0x57 : 0x21]
        case .mpls:
            outer = [0x88, 0x47, 0, 0, 0x11, 64]
        }
        let wrapped = macs + outer + inner
        return LossPacket(
            time: time, bytes: wrapped, length: length + wrapped.count - bytes.count)
    }
}
