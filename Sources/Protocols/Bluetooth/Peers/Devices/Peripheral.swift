import Bluetooth

/// A GATT peripheral on the air: it advertises, accepts connections and serves its services.
package struct Peripheral: RemoteDevice {
    /// The properties of a peripheral.
    package struct Settings: Sendable {
        /// Its address.
        package var address: DeviceAddress
        /// Its name, which is not used to recognise it.
        package var name = "peripheral"
        /// What it advertises; `nil` for nothing.
        package var advertising: RemoteAdvertising?
        /// The answer to a request for a connection.
        package var connection = LinkAnswer.accepts
        /// Its services.
        package var services: [GATTService] = []
        /// The largest ATT PDU that it accepts.
        package var mtu = 517
        /// The delay of each answer, in nanoseconds.
        package var delay: Int64 = 0
        /// The bytes in an ACL packet, if fewer than the link's limit.
        package var pieces: Int?
        /// The opcodes of requests whose answers are truncated.
        package var malforms: Set<UInt8> = []
        /// Whether it pairs.
        package var pairs = true
        /// Whether it enables encryption with the key that pairing produced.
        package var encrypts = true

        /// Creates the settings of a peripheral without services.
        package init(_ address: DeviceAddress) { self.address = address }
    }

    private var settings: Settings
    private var server: GATTServer
    private var clients: [AirLink: GATTServer.Client] = [:]
    private var pairings: [AirLink: Pairing] = [:]
    private var commands: [AirCommand] = []
    private var isSilent = false

    /// Creates a peripheral.
    package init(_ settings: Settings) {
        self.settings = settings
        server = GATTServer(settings.services, name: settings.name, mtu: settings.mtu)
    }

    package var address: DeviceAddress { settings.address }

    package var advertising: RemoteAdvertising? { isSilent ? nil : settings.advertising }

    package var answersConnection: LinkAnswer { settings.connection }

    package mutating func opened(_ link: AirLink, to host: DeviceAddress) {
        clients[link] = GATTServer.Client()
        pairings[link] = Pairing(initiator: host, responder: address)
    }

    package mutating func closed(_ link: AirLink) {
        clients[link] = nil
        pairings[link] = nil
    }

    package mutating func takeCommands() -> [AirCommand] {
        defer { commands = [] }
        return commands
    }

    package mutating func consume(_ unit: L2CAPFrame, on link: AirLink) {
        switch unit.channel {
        case L2CAPFrame.Channel.attributes: attribute(unit.payload, on: link)
        case L2CAPFrame.Channel.lowEnergySignalling: signal(unit.payload, on: link)
        case L2CAPFrame.Channel.security: pair(unit.payload, on: link)
        default: break
        }
    }

    private mutating func attribute(_ pdu: [UInt8], on link: AirLink) {
        guard var client = clients[link] else { return }
        var answers = server.consume(pdu, of: &client)
        clients[link] = client
        if let opcode = pdu.first, settings.malforms.contains(opcode), let first = answers.first {
            answers[0] = Array(first.prefix(max(1, first.count / 2)))
        }
        let delay = settings.delay + server.lateness(of: pdu)
        for answer in answers { send(attribute: answer, on: link, after: delay) }
    }

    private mutating func send(
        attribute pdu: [UInt8], on link: AirLink, after delay: Int64? = nil
    ) {
        send(pdu, channel: L2CAPFrame.Channel.attributes, on: link, after: delay)
    }

    private mutating func send(
        _ payload: [UInt8], channel: UInt16, on link: AirLink, after delay: Int64? = nil
    ) {
        commands.append(
            .send(
                link, L2CAPFrame(channel: channel, payload: payload), after: delay,
                pieces: settings.pieces))
    }

    /// Rejects every request on the signalling channel: there is nothing to negotiate.
    ///
    /// See Core 5.4 Vol 3 Part A 4.1.
    private mutating func signal(_ payload: [UInt8], on link: AirLink) {
        for request in L2CAPSignal.list(payload) {
            switch request.content {
            case .parameterUpdateRequest, .lowEnergyConnectionRequest:
                let answer = L2CAPSignal(
                    .commandReject(reason: 0), identifier: request.identifier)
                send(
                    answer.bytes, channel: L2CAPFrame.Channel.lowEnergySignalling, on: link)
            default: break
            }
        }
    }

    private mutating func pair(_ pdu: [UInt8], on link: AirLink) {
        // Pairing Failed: Pairing Not Supported (Vol 3 Part H 3.5.5).
        let refusal = [SMPPacket.pairingFailed(reason: 0x05)]
        let answers = settings.pairs ? pairings[link]?.consume(pdu) ?? [] : refusal
        for answer in answers {
            send(answer.bytes, channel: L2CAPFrame.Channel.security, on: link)
        }
    }

    package mutating func encrypt(_ link: AirLink, key: [UInt8]) {
        let isKnown = settings.encrypts && pairings[link]?.key == key
        clients[link]?.isEncrypted = isKnown
        // PIN or Key Missing (Vol 1 Part F 2.6).
        commands.append(.encrypted(link, status: isKnown ? 0 : 0x06))
    }

    // MARK: Actions that suites request

    /// Starts or stops advertising.
    package mutating func advertise(_ isOn: Bool) { isSilent = !isOn }

    /// Replaces what it advertises from now on.
    package mutating func advertise(_ advertising: RemoteAdvertising?) {
        settings.advertising = advertising
    }

    /// Sets the answer to requests for a connection from now on.
    package mutating func answerConnections(_ answer: LinkAnswer) {
        settings.connection = answer
    }

    /// Ends all its links for a reason.
    package mutating func end(reason: UInt8) {
        for link in clients.keys.sorted(by: { $0.handle < $1.handle }) {
            commands.append(.end(link, reason: reason))
        }
    }

    /// Sends a value of a characteristic to its subscribers, or to all clients.
    package mutating func notify(_ uuid: BluetoothUUID, _ value: [UInt8], regardless: Bool) {
        for (link, client) in clients {
            for pdu in server.notify(uuid, value, to: client, regardless: regardless) {
                send(attribute: pdu, on: link)
            }
        }
    }

    /// Sends an ATT PDU unchanged on all links.
    package mutating func sendAttribute(_ pdu: [UInt8]) {
        for link in clients.keys { send(attribute: pdu, on: link) }
    }
}
