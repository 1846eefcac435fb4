import Wire

@testable import Bluetooth

/// Packets between a host and its controller, and the messages of a host decoder.
struct Talk {
    var decoder = HostDecoder(of: DissectionStack([]))
    private(set) var messages: [HostMessage] = []
    private var place: UInt64 = 0

    static let band: UInt64 = 0xC411_1111_1111

    mutating func send(_ packet: HCIPacket, isFromHost: Bool? = nil) throws {
        let bytes = packet.bytes
        let fromHost: Bool
        let kind: HCIHeader.Kind
        switch packet {
        case .command: (kind, fromHost) = (.command, true)
        case .event: (kind, fromHost) = (.event, false)
        default: (kind, fromHost) = (.acl, isFromHost ?? true)
        }
        _ = try decoder.consume(
            kind, isFromHost: fromHost, bytes.span.bytes.extracting(droppingFirst: 1),
            at: place..<place + 1, into: &messages)
        place += 1
    }

    mutating func command(_ opcode: HCIOpcode, _ values: HCIParameters = [:]) throws {
        try send(.command(HCICommand(opcode, values)))
    }

    mutating func event(_ kind: HCIEventKind, _ values: HCIParameters) throws {
        try send(.event(HCIEvent(kind, values)))
    }

    mutating func connect(
        _ handle: UInt16 = 1, kind: HCIEventKind = .leEnhancedConnectionComplete
    ) throws {
        try event(
            kind,
            [
                .status: 0, .connectionHandle: .number(handle), .bdAddr: .address(Self.band),
                .role: 0, .leConInterval: 24,
            ])
    }

    mutating func att(_ packet: ATTPacket, isFromHost: Bool, handle: UInt16 = 1) throws {
        try attribute(packet.bytes, isFromHost: isFromHost, handle: handle)
    }

    mutating func attribute(_ pdu: [UInt8], isFromHost: Bool, handle: UInt16 = 1) throws {
        try unit(
            pdu, to: L2CAPFrame.Channel.attributes, isFromHost: isFromHost, handle: handle)
    }

    mutating func unit(
        _ payload: [UInt8], to channel: UInt16, isFromHost: Bool, handle: UInt16 = 1
    ) throws {
        let frame = L2CAPFrame(channel: channel, payload: payload)
        for part in ACLPacket.fragments(of: frame.bytes, handle: handle, size: 27) {
            try send(.acl(part), isFromHost: isFromHost)
        }
    }

    /// Sends a request and its answer.
    mutating func exchange(_ request: ATTPacket, _ answer: ATTPacket) throws {
        try att(request, isFromHost: true)
        try att(answer, isFromHost: false)
    }

    /// The messages of the plain layer.
    var plain: [HostMessage] { messages.filter { $0.content is PlainMessage } }
    var names: [String] { plain.map(\.content.name) }

    func field(_ path: String, of index: Int) -> Value? {
        FieldPath(path).flatMap { plain[index].content.field($0) }
    }
}
