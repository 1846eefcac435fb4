import Wire

/// A decoder of the packets between one host and its controller.
///
/// It decodes commands and events, logical links and their channels, and creates their plain
/// messages: `le.*`, `bredr.*`, `gatt.*`, `sdp.*`. It is independent of files and streams. The
/// caller gives the place of each packet, and gets these places back with the messages.
public struct HostDecoder: Sendable {
    struct Link: Sendable {
        var decoder: BluetoothLinkDecoder
        /// The device at the other end.
        var remote: BluetoothNode
        /// Whether it is an LE link; `nil` if neither its beginning nor its channels show it.
        var isLowEnergy: Bool? { decoder.isLowEnergy }
        /// The places of the data packets of a side; the first side is the host.
        var places = BothSides { NestedStream() }

        /// Its address, if that was captured.
        var address: UInt64? {
            if case .address(let address) = remote { address } else { nil }
        }
    }

    /// The largest number of links that are followed at the same time: a controller has at most a
    /// few dozen.
    private static let linksMax = 1_024
    /// The largest number of devices whose attributes are kept after their links have ended.
    private static let devicesMax = 256

    /// The time of the next packet; `nil` if it is not known.
    public var now: Timestamp?
    /// The controller's own address, once the capture has shown it.
    public var ownAddress: UInt64?
    let stack: DissectionStack
    private let adapter: UInt16
    private var links: [UInt16: Link] = [:]
    /// The state of the host's requests to the controller.
    var state = HostState()
    /// The known attributes of devices whose links have ended.
    private var databases: [UInt64: GATTDatabase] = [:]
    private var ignored: [String: Int] = [:]

    /// Creates a decoder that has seen nothing.
    ///
    /// - Parameters:
    ///   - stack: The protocols that may be recognised in serial channels.
    ///   - adapter: The controller's number.
    public init(of stack: DissectionStack, adapter: UInt16 = 0) {
        self.stack = stack
        self.adapter = adapter
    }

    /// The host, by its address if known.
    public var node: BluetoothNode { ownAddress.map { .address($0) } ?? .adapter(adapter) }

    /// Whether data is from the host if the capture does not record the sender; `nil` if undecided.
    ///
    /// On an LE link, the host and its controller mark the beginning of a unit differently (Core
    /// 5.4 Vol 4 Part E 5.4.2). A continuation is from the side whose unit is incomplete.
    public func isFromHost(data body: RawSpan) -> Bool? {
        var reader = ByteReader(body, unit: "bthci_acl")
        guard let header = try? ACLHeader(parsing: &reader), let link = links[header.handle],
            link.isLowEnergy == true
        else { return nil }
        switch header.boundary {
        case .firstNonFlushable: return true
        case .first: return false
        case .continuing:
            let (host, controller) = (
                link.decoder.awaitsMore(of: .first), link.decoder.awaitsMore(of: .second)
            )
            return host == controller ? nil : host
        default: return nil
        }
    }

    /// Takes a packet without the header that gives its kind.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - isFromHost: Whether the host sent it.
    ///   - body: The captured part of the packet.
    ///   - place: Its place; places ascend for each side.
    ///   - messages: The messages, to which the new ones are appended.
    /// - Returns: Whether the packet was captured completely.
    /// - Throws: The error in an invalid packet.
    public mutating func consume(
        _ kind: HCIHeader.Kind, isFromHost: Bool, _ body: RawSpan, at place: Range<UInt64>,
        into messages: inout [HostMessage]
    ) throws(DecodeError) -> Bool {
        switch kind {
        case .command: try command(body, at: place, into: &messages)
        case .event: try event(body, at: place, into: &messages)
        case .acl: return try data(body, isFromHost, at: place, into: &messages)
        case .newController:
            var reader = ByteReader(body, unit: "hci_mon.new_index")
            try reader.skip(2, "bus")
            ownAddress = try reader.bluetoothAddress("bd_addr")
        case .synchronous: ignore("bthci_sco")
        case .isochronous: ignore("bthci_iso")
        case .note: ignore("bluetooth monitor note")
        }
        return true
    }

    /// Handles missing packets of a side, or the end of their recognition.
    public mutating func lose(isFromHost: Bool, into messages: inout [HostMessage]) {
        let side: ConnectionSide = isFromHost ? .first : .second
        for handle in links.keys.sorted() {
            var found: [BluetoothChannelMessage] = []
            guard var link = links.removeValue(forKey: handle) else { continue }
            link.decoder.lose(side, into: &found)
            emit(found, side, link, into: &messages)
            links[handle] = link
        }
    }

    /// Ends all links at the end of the capture.
    public mutating func finish(into messages: inout [HostMessage]) {
        for handle in links.keys.sorted() { end(handle, by: nil, at: nil, into: &messages) }
    }

    /// Takes the counts of packets and units that were not decoded since the last call, by their
    /// kind.
    public mutating func takeIgnored() -> [String: Int] {
        defer { ignored = [:] }
        return ignored
    }

    /// Returns the place of the oldest packet of a side that a later message may refer to.
    public func oldestPlace(isFromHost: Bool) -> UInt64? {
        links.values.compactMap { $0.places[isFromHost ? .first : .second].oldestOuter }.min()
    }

    private mutating func ignore(_ what: String, count: Int = 1) {
        ignored[what, default: 0] += count
    }
}

// MARK: - Commands and events

extension HostDecoder {
    private mutating func command(
        _ body: RawSpan, at place: Range<UInt64>, into messages: inout [HostMessage]
    ) throws(DecodeError) {
        let command = try HCICommand(parsing: body)
        messages.append(
            HostMessage(
                content: PacketMessage(packet: command, bytes: [UInt8](copying: body)),
                places: [place], isFromHost: true))
        if command.opcode == .reset {
            for handle in links.keys.sorted() {
                end(handle, by: .first, at: place, into: &messages)
            }
        }
        let link = command.parameters.uint16(.connectionHandle).flatMap { links[$0] }
        for (message, remote) in state.consume(command, link) {
            messages.append(
                HostMessage(
                    content: message, places: [place], isFromHost: true, remote: remote))
        }
    }

    private mutating func event(
        _ body: RawSpan, at place: Range<UInt64>, into messages: inout [HostMessage]
    ) throws(DecodeError) {
        let event = try HCIEvent(parsing: body)
        messages.append(
            HostMessage(
                content: PacketMessage(packet: event, bytes: [UInt8](copying: body)),
                places: [place], isFromHost: false))
        if event.answered == .readBDADDR, let address = event.returned?.address() {
            ownAddress = address
        }
        if let connection = event.connection, connection.status == 0 {
            end(connection.handle, by: nil, at: place, into: &messages)
            begin(connection)
        }
        let handle = event.parameters.uint16(.connectionHandle)
        let link = handle.flatMap { links[$0] }
        if event.kind == .disconnectionComplete, event.status == 0, let handle {
            let ender = state.ender(of: handle, reason: event.parameters.uint8(.reason) ?? 0)
            end(handle, by: ender.side, at: place, into: &messages)
        }
        for (message, remote) in state.consume(event, link) {
            messages.append(
                HostMessage(
                    content: message, places: [place], isFromHost: false, remote: remote))
        }
    }

    private mutating func begin(_ connection: HCIEvent.Connection) {
        guard links.count < Self.linksMax else { return ignore("bluetooth link beyond the limit") }
        var link = Link(
            decoder: BluetoothLinkDecoder(
                of: stack, isWhole: true, isLowEnergy: connection.isLowEnergy),
            remote: .address(connection.address))
        if let known = databases[connection.address] {
            link.decoder.attributes.databases[.second] = known
        }
        links[connection.handle] = link
    }

    private mutating func end(
        _ handle: UInt16, by ender: ConnectionSide?, at place: Range<UInt64>?,
        into messages: inout [HostMessage]
    ) {
        guard var link = links.removeValue(forKey: handle) else { return }
        let sides: [ConnectionSide] = ender == .second ? [.second, .first] : [.first, .second]
        for side in sides {
            // A link that is connected again has ended without a message about it.
            let end: StreamEnd =
                ender == nil && place == nil ? .captureEnded : side == ender ? .closed : .cut
            var found: [BluetoothChannelMessage] = []
            link.decoder.finish(side, end, into: &found)
            emit(found, side, link, at: place, into: &messages)
        }
        if let address = link.address,
            databases[address] != nil || databases.count < Self.devicesMax
        {
            databases[address] = link.decoder.attributes.databases[.second]
        }
    }
}

// MARK: - Data

extension HostDecoder {
    private mutating func data(
        _ body: RawSpan, _ isFromHost: Bool, at place: Range<UInt64>,
        into messages: inout [HostMessage]
    ) throws(DecodeError) -> Bool {
        var reader = ByteReader(body, unit: "bthci_acl")
        let header = try ACLHeader(parsing: &reader)
        let side: ConnectionSide = isFromHost ? .first : .second
        if links[header.handle] == nil {
            guard links.count < Self.linksMax else {
                ignore("bluetooth link beyond the limit")
                return true
            }
            links[header.handle] = Link(
                decoder: BluetoothLinkDecoder(of: stack, isWhole: false),
                remote: .handle(header.handle, adapter: adapter))
        }
        guard var link = links.removeValue(forKey: header.handle) else { return true }
        link.decoder.now = now
        var found: [BluetoothChannelMessage] = []
        let isWhole = reader.remaining >= header.length
        if isWhole {
            let payload = try reader.span(header.length)
            let offset = link.places[side].append(payload.byteCount, at: [place])
            link.decoder.consume(
                payload, isContinuation: header.boundary == .continuing, from: side, at: offset,
                into: &found)
        } else {
            link.decoder.lose(side, into: &found)
        }
        for (reason, count) in link.decoder.takeIgnored() { ignore(reason, count: count) }
        emit(found, side, link, into: &messages)
        let next = link.places[side].next
        link.places[side].forget(
            before: link.decoder.oldestPendingOffset(of: side, next: next))
        links[header.handle] = link
        return isWhole
    }

    private func emit(
        _ found: [BluetoothChannelMessage], _ side: ConnectionSide, _ link: Link,
        at place: Range<UInt64>? = nil, into messages: inout [HostMessage]
    ) {
        for message in found {
            let origin = message.origin ?? side
            let speaker = message.speaker ?? origin
            messages.append(
                HostMessage(
                    content: message.message.content,
                    places: place.map { [$0] }
                        ?? link.places[origin].outer(of: message.message.ranges),
                    isFromHost: speaker == .first, remote: link.remote,
                    channel: message.channel))
        }
    }
}
