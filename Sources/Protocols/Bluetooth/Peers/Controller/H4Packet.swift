/// An HCI packet in H4 framing (Core 5.4 Vol 4 Part A 2).
enum H4Packet: Sendable, Hashable {
    /// A command with its opcode and parameters.
    case command(UInt16, [UInt8])
    /// Data on an ACL link.
    case data(ACLFragment)
    /// Synchronous or isochronous data, which no controller here carries.
    case other

    /// A splitter that cuts the bytes of a host into packets.
    struct Splitter: Sendable {
        private var held: [UInt8] = []
        /// Whether a byte came that starts no packet: nothing after it can be read.
        private(set) var isLost = false

        /// Takes bytes and returns the packets that they complete.
        mutating func consume(_ bytes: [UInt8]) -> [H4Packet] {
            guard !isLost else { return [] }
            held += bytes
            var packets: [H4Packet] = []
            var place = 0
            while let type = held.dropFirst(place).first {
                guard let head = Self.headLength(type) else {
                    isLost = true
                    break
                }
                guard held.count - place > head else { break }
                let length = Self.length(type, held[(place + 1)..<(place + 1 + head)])
                let end = place + 1 + head + length
                guard held.count >= end else { break }
                packets.append(H4Packet(type, held[(place + 1)..<end]))
                place = end
            }
            held.removeFirst(isLost ? held.count : place)
            return packets
        }

        /// Returns the size of a packet type's header, without the type byte; `nil` if unknown.
        private static func headLength(_ type: UInt8) -> Int? {
            switch type {
            case 1, 3: 3
            case 2, 5: 4
            default: nil
            }
        }

        private static func length(_ type: UInt8, _ head: ArraySlice<UInt8>) -> Int {
            let bytes = Array(head)
            return switch type {
            case 1, 3: Int(bytes[2])
            case 5: (Int(bytes[3]) << 8 | Int(bytes[2])) & 0x3FFF
            default: Int(bytes[3]) << 8 | Int(bytes[2])
            }
        }
    }

    private init(_ type: UInt8, _ body: ArraySlice<UInt8>) {
        var reader = LittleEndianReader(body)
        let first = reader.word() ?? 0
        switch type {
        case 1: self = .command(first, Array(reader.rest.dropFirst()))
        case 2:
            self = .data(
                ACLFragment(
                    handle: first & 0x0FFF, isContinuation: first >> 12 & 3 == 1,
                    bytes: Array(reader.rest.dropFirst(2))))
        default: self = .other
        }
    }

    /// Returns an event as it is sent to a host.
    static func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        [4, code, UInt8(low: parameters.count)] + parameters
    }
}

/// The part of an L2CAP unit in one ACL packet (Core 5.4 Vol 4 Part E 5.4.2).
struct ACLFragment: Sendable, Hashable {
    let handle: UInt16
    /// Whether it continues a unit that an earlier packet began.
    let isContinuation: Bool
    let bytes: [UInt8]

    /// The ACL packet as it is sent to a host.
    var packet: [UInt8] {
        let flags: UInt16 = isContinuation ? 0x1000 : 0x2000
        return [2] + (flags | handle).littleEndianBytes
            + UInt16(clamping: bytes.count)
            .littleEndianBytes + bytes
    }
}

/// An L2CAP unit in basic mode: a channel and a payload (Core 5.4 Vol 3 Part A 3.1).
package struct L2CAPUnit: Sendable, Hashable {
    /// The channel at the receiver.
    package let channel: UInt16
    /// The payload.
    package let payload: [UInt8]

    /// Creates a unit.
    package init(channel: UInt16, payload: [UInt8]) {
        self.channel = channel
        self.payload = payload
    }

    /// Returns the unit, cut into ACL packets of at most `length` bytes.
    func fragments(on handle: UInt16, length: Int) -> [ACLFragment] {
        let bytes =
            UInt16(clamping: payload.count).littleEndianBytes + channel.littleEndianBytes + payload
        return stride(from: 0, to: bytes.count, by: max(1, length)).map { start in
            ACLFragment(
                handle: handle, isContinuation: start > 0,
                bytes: Array(bytes[start..<min(bytes.count, start + length)]))
        }
    }

    /// A reassembler that joins the ACL packets of one direction of a link to units.
    struct Reassembly: Sendable {
        private var held: [UInt8] = []

        /// Takes a fragment and returns the unit that it completes.
        ///
        /// Fragments that belong to no unit are dropped.
        mutating func consume(_ fragment: ACLFragment) -> L2CAPUnit? {
            held = fragment.isContinuation ? held + fragment.bytes : fragment.bytes
            guard held.count >= 4 else { return nil }
            let length = Int(held[1]) << 8 | Int(held[0])
            guard held.count >= 4 + length else { return nil }
            defer { held = [] }
            return L2CAPUnit(
                channel: UInt16(held[3]) << 8 | UInt16(held[2]),
                payload: Array(held[4..<(4 + length)]))
        }
    }
}
