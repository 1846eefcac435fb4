import Bluetooth
import ExternalAccessory

/// An accessory on the air that carries External Accessory sessions over iAP2.
///
/// It is found by its service record, and uses an RFCOMM channel. L2CAP, RFCOMM and the iAP2 link
/// act on bytes, as the kernel does for TCP. If the accessory acts on the trace, it processes an
/// app's requests (for a session, and the data in it) only once `show` has reported them.
package struct Accessory: RemoteDevice {
    /// The answer to a session that an app requests.
    package enum SessionAnswer: String, Sendable, CaseIterable {
        /// The session is opened.
        case accept
        /// The session is refused.
        case refuse
        /// There is no answer.
        case silent
    }

    /// The properties of an accessory.
    package struct Settings: Sendable {
        /// Its address.
        package var address: DeviceAddress
        /// The name that users see.
        package var name = "accessory"
        /// The protocol strings that it declares.
        package var protocols: [String] = []
        /// The RFCOMM channel.
        package var channel: UInt8 = 3
        /// The answer to a request for a connection.
        package var connection = LinkAnswer.accepts
        /// The answer to a request for a session.
        package var sessions = SessionAnswer.accept
        /// Whether it sends back the data of sessions.
        package var echoes = false
        /// Whether it processes what apps send only once `show` has reported it.
        package var actsOnTrace = false
    }

    /// A phone that is connected to it.
    private struct Phone: Sendable {
        var channels = ClassicChannels()
        var serial: SerialServer
        var end: IAP2.AccessoryEnd?
        /// The open sessions, in order.
        var sessions: [UInt16] = []
        /// Sessions that were requested but not shown yet.
        var requested: Set<UInt16> = []
        /// Bytes of sessions that were not shown yet.
        var unseen: [UInt16: [UInt8]] = [:]
    }

    /// The link parameters that it proposes: the link repairs losses within seconds.
    private static let proposal = IAP2.LinkSynchronization(
        maximumOutstanding: 8, maximumLength: 2_048, retransmissionTimeout: 1_000,
        acknowledgementTimeout: 20, maximumRetransmissions: 30, maximumAcknowledgements: 3)
    /// The limit on bytes that wait to be shown, per session; beyond it further bytes are dropped.
    private static let unseenMax = 1 << 20

    private var settings: Settings
    private let record: ServiceRecord
    private var phones: [AirLink: Phone] = [:]
    private var commands: [AirCommand] = []
    private var now = Duration.zero

    /// Creates an accessory.
    package init(_ settings: Settings) {
        self.settings = settings
        record = ServiceRecord(accessoryOn: settings.channel)
    }

    package var address: DeviceAddress { settings.address }
    package var answersPage: LinkAnswer? { settings.connection }
    package var answersConnection: LinkAnswer { .ignores }

    package mutating func opened(_ link: AirLink, to host: DeviceAddress) {
        phones[link] = Phone(serial: SerialServer(channel: settings.channel))
    }

    package mutating func closed(_ link: AirLink) { phones[link] = nil }

    package mutating func takeCommands() -> [AirCommand] {
        defer { commands = [] }
        return commands
    }

    package var nextDeadline: Int64? {
        phones.values.compactMap { $0.end?.nextDeadline }.min().map { Int64($0 / .nanoseconds(1)) }
    }

    package mutating func advance(to now: Int64) {
        self.now = .nanoseconds(now)
        for (link, phone) in phones {
            guard let due = phone.end?.nextDeadline, due <= self.now else { continue }
            change(link) { phone, now in phone.end?.advance(to: now) ?? [] }
        }
    }

    package mutating func consume(_ unit: L2CAPFrame, on link: AirLink) {
        guard var phone = phones[link] else { return }
        let channelEvents = phone.channels.consume(unit)
        phones[link] = phone
        for channelEvent in channelEvents {
            switch channelEvent {
            case .received(.discovery, let pdu):
                if let answer = record.answer(to: pdu) {
                    phones[link]?.channels.send(answer, to: .discovery)
                }
            case .received(.serial, let frame): serial(frame, on: link)
            case .closed(.serial):
                phones[link]?.serial = SerialServer(channel: settings.channel)
                forgetLink(link)
            case .opened, .closed(.discovery): break
            }
        }
        flush(link)
    }

    private mutating func serial(_ frame: [UInt8], on link: AirLink) {
        for channelEvent in phones[link]?.serial.consume(frame) ?? [] {
            switch channelEvent {
            case .opened:
                let identification = IAP2.Identification(
                    name: settings.name, model: "accessory", manufacturer: "conform",
                    serialNumber: String(settings.address.value & 0xFF_FFFF),
                    protocols: settings.protocols)
                phones[link]?.end = IAP2.AccessoryEnd(identification, proposing: Self.proposal)
                phones[link]?.end?.start(at: now)
            case .received(let bytes):
                change(link) { phone, now in phone.end?.receive(bytes, at: now) ?? [] }
            case .closed: forgetLink(link)
            }
        }
    }

    private mutating func forgetLink(_ link: AirLink) {
        phones[link]?.end = nil
        phones[link]?.sessions = []
        phones[link]?.requested = []
        phones[link]?.unseen = [:]
    }

    /// Runs an action on a phone's iAP2 end, and processes the resulting events.
    private mutating func change(
        _ link: AirLink, _ body: (inout Phone, Duration) -> [IAP2.AccessoryEnd.Event]
    ) {
        guard var phone = phones[link] else { return }
        let events = body(&phone, now)
        phones[link] = phone
        for event in events { consume(event, on: link) }
        flush(link)
    }

    /// Passes on the output of the iAP2 end, the serial port and the channels.
    private mutating func flush(_ link: AirLink) {
        guard var phone = phones[link] else { return }
        for packet in phone.end?.takePackets() ?? [] { phone.serial.send(packet) }
        for frame in phone.serial.takeFrames() { phone.channels.send(frame, to: .serial) }
        for unit in phone.channels.takeUnits() { commands.append(.send(link, unit)) }
        phones[link] = phone
    }
}

// MARK: - Sessions

extension Accessory {
    private mutating func consume(_ event: IAP2.AccessoryEnd.Event, on link: AirLink) {
        switch event {
        case .requested(let session, _):
            guard settings.actsOnTrace else { return answer(session, on: link) }
            phones[link]?.requested.insert(session)
        case .data(let session, let bytes):
            guard settings.actsOnTrace else { return receive(bytes, in: session, on: link) }
            let held = phones[link]?.unseen[session] ?? []
            guard held.count + bytes.count <= Self.unseenMax else { return }
            phones[link]?.unseen[session] = held + bytes
        case .stopped(let session): phones[link]?.sessions.removeAll { $0 == session }
        case .closed:
            phones[link]?.serial.close()
            flush(link)
            forgetLink(link)
        case .accepted, .rejected: break
        }
    }

    package mutating func show(_ saying: AppSessionEvent) -> Bool {
        switch saying {
        case .requested(let session):
            guard let link = phones.first(where: { $0.value.requested.contains(session) })?.key
            else {
                return false
            }
            phones[link]?.requested.remove(session)
            answer(session, on: link)
        case .data(let session, let count):
            let place = phones.first { ($0.value.unseen[session]?.count ?? 0) >= max(1, count) }
            guard let (link, phone) = place, let held = phone.unseen[session] else { return false }
            phones[link]?.unseen[session] = Array(held.dropFirst(count))
            receive(Array(held.prefix(count)), in: session, on: link)
        }
        return true
    }

    private mutating func answer(_ session: UInt16, on link: AirLink) {
        let answer = settings.sessions
        change(link) { phone, now in
            switch answer {
            case .accept:
                phone.sessions.append(session)
                phone.end?.open(session: session, at: now)
            case .refuse: phone.end?.close(session: session, at: now)
            case .silent: break
            }
            return []
        }
    }

    private mutating func receive(_ bytes: [UInt8], in session: UInt16, on link: AirLink) {
        guard settings.echoes else { return }
        change(link) { phone, now in
            phone.end?.send(bytes, session: session, at: now)
            return []
        }
    }
}

// MARK: - Actions that suites request

extension Accessory {
    /// Pages the hosts that hear it.
    package mutating func call() { commands.append(.page) }

    /// Sets the answer to requests for a connection from now on.
    package mutating func answerConnections(_ answer: LinkAnswer) { settings.connection = answer }

    /// Sets the answer to requests for a session from now on.
    package mutating func answerSessions(_ answer: SessionAnswer) { settings.sessions = answer }

    /// Ends all its BR/EDR links for a reason.
    package mutating func end(reason: UInt8) {
        for link in links { commands.append(.end(link, reason: reason)) }
    }

    /// Closes the latest session of each phone.
    package mutating func closeSession() {
        each { phone, now in
            if let session = phone.sessions.popLast() {
                phone.end?.close(session: session, at: now)
            }
        }
    }

    /// Closes the serial channel of each phone.
    package mutating func closeChannel() {
        each { phone, _ in phone.serial.close() }
        for link in links { forgetLink(link) }
    }

    /// Resets the iAP2 link with each phone.
    package mutating func resetLink() {
        each { phone, _ in phone.end?.reset() }
        for link in links { forgetLink(link) }
    }

    /// Sends bytes in the latest session of each phone.
    package mutating func say(_ bytes: [UInt8]) {
        each { phone, now in
            if let session = phone.sessions.last {
                phone.end?.send(bytes, session: session, at: now)
            }
        }
    }

    private var links: [AirLink] { phones.keys.sorted { $0.handle < $1.handle } }

    private mutating func each(_ body: (inout Phone, Duration) -> Void) {
        for link in links {
            change(link) { phone, now in
                body(&phone, now)
                return []
            }
        }
    }
}
