import AccessoryBus
import ExternalAccessory

/// A carrier of iAP2 links over TCP, with one connection for each accessory.
///
/// The phone keeps one spare connection. As soon as an accessory sends on it, the phone makes the
/// next one. An accessory is connected once it is identified, and disconnected when its link or its
/// connection ends.
struct IAP2Carrier: SessionCarrier {
    /// The time without news until the first accessories count as known, in milliseconds.
    ///
    /// These are the accessories that were present at the start. iAP2 has no message that marks the
    /// end of such a list.
    static let settlingTime = 300
    /// Pause before a failed spare connection is made again, in milliseconds.
    static let sparePause = 500

    /// One connection and the link on it.
    private struct Attached {
        var end = IAP2.DeviceEnd()
        /// Whether an accessory has sent anything on it.
        var isSpeaking = false
        var accessory: ExternalAccessory.Accessory?
        /// The sessions that are open or requested, by the link's numbers.
        var sessions: [UInt16: SessionNumber] = [:]
    }

    private var links: [Int: Attached] = [:]
    private var lastLink = 0
    private var lastSession = 0
    /// Whether a connection has been established since the carrier was started.
    private var isReachable = false
    private var isReady = false
    private var actions: [CarrierAction] = []

    var accessories: [ExternalAccessory.Accessory] {
        links.sorted { $0.key < $1.key }.compactMap(\.value.accessory)
    }

    mutating func start() -> [CarrierAction] {
        guard links.isEmpty else { return [] }
        actions = []
        addSpare()
        return actions
    }

    private mutating func addSpare() {
        lastLink += 1
        links[lastLink] = Attached()
        actions.append(.connect(.link(lastLink)))
    }

    // MARK: Sessions

    mutating func openSession(
        with accessory: UInt32, protocolString: String, at now: Duration
    ) -> (session: SessionNumber, actions: [CarrierAction]) {
        actions = []
        lastSession += 1
        let number = SessionNumber(lastSession)
        let link = Int(accessory)
        if let session = links[link]?.end.open(protocolString, at: now) {
            links[link]?.sessions[session] = number
            settle(link, at: now)
        } else {
            let reason = "no accessory \(accessory) that declares \(protocolString)"
            actions.append(.report(.refused(number, reason)))
        }
        return (number, actions)
    }

    mutating func send(
        _ bytes: [UInt8], in session: SessionNumber, at now: Duration
    ) -> [CarrierAction] {
        actions = []
        guard let (link, id) = place(of: session) else { return [] }
        if links[link]?.end.send(bytes, session: id, at: now) == false {
            links[link]?.sessions[id] = nil
            links[link]?.end.close(session: id, at: now)
            actions.append(.report(.ended(session, "the link does not accept the data")))
        }
        settle(link, at: now)
        return actions
    }

    mutating func close(_ session: SessionNumber, at now: Duration) -> [CarrierAction] {
        actions = []
        guard let (link, id) = place(of: session) else { return [] }
        links[link]?.sessions[id] = nil
        links[link]?.end.close(session: id, at: now)
        settle(link, at: now)
        return actions
    }

    private func place(of session: SessionNumber) -> (link: Int, id: UInt16)? {
        for (link, attached) in links {
            if let id = attached.sessions.first(where: { $0.value == session })?.key {
                return (link, id)
            }
        }
        return nil
    }

    // MARK: Connections

    mutating func connected(
        _ connection: CarrierConnection, at now: Duration
    ) -> [CarrierAction] {
        actions = []
        guard case .link(let link) = connection, links[link] != nil else { return [] }
        isReachable = true
        links[link]?.end.start(at: now)
        settle(link, at: now)
        waitUntilSettled()
        return actions
    }

    mutating func received(
        _ bytes: [UInt8], on connection: CarrierConnection, at now: Duration
    ) -> [CarrierAction] {
        actions = []
        guard case .link(let link) = connection, let attached = links[link] else { return [] }
        if !attached.isSpeaking {
            links[link]?.isSpeaking = true
            addSpare()
        }
        consume(links[link]?.end.receive(bytes, at: now) ?? [], of: link)
        settle(link, at: now)
        return actions
    }

    mutating func ended(_ connection: CarrierConnection, _ reason: String) -> [CarrierAction] {
        actions = []
        guard case .link(let link) = connection, let attached = links[link] else { return [] }
        remove(link, reason)
        guard !attached.isSpeaking else { return actions }
        if isReachable {
            actions.append(.startTimer(.spare, milliseconds: IAP2Carrier.sparePause))
        } else {
            actions.append(.report(.lost(reason)))
        }
        return actions
    }

    mutating func timerFired(_ timer: CarrierTimer, at now: Duration) -> [CarrierAction] {
        actions = []
        switch timer {
        case .link(let link):
            consume(links[link]?.end.advance(to: now) ?? [], of: link)
            settle(link, at: now)
        case .spare:
            if !links.values.contains(where: { !$0.isSpeaking }) { addSpare() }
        case .settled:
            guard !isReady else { break }
            if links.values.contains(where: { $0.isSpeaking && $0.accessory == nil }) {
                waitUntilSettled()
            } else {
                isReady = true
                actions.append(.report(.ready))
            }
        }
        return actions
    }

    /// Sends the pending output of a link, and starts the timer for its next deadline.
    private mutating func settle(_ link: Int, at now: Duration) {
        guard let bytes = links[link]?.end.takeOutput() else { return }
        if !bytes.isEmpty { actions.append(.send(bytes, .link(link))) }
        if let deadline = links[link]?.end.nextDeadline {
            let left = max(.zero, deadline - now) / .milliseconds(1)
            actions.append(.startTimer(.link(link), milliseconds: Int(left.rounded(.up))))
        } else {
            actions.append(.stopTimer(.link(link)))
        }
    }

    private mutating func waitUntilSettled() {
        guard isReachable, !isReady else { return }
        actions.append(.startTimer(.settled, milliseconds: IAP2Carrier.settlingTime))
    }

    // MARK: Events of links

    private mutating func consume(_ events: [IAP2.DeviceEnd.Event], of link: Int) {
        for event in events {
            switch event {
            case .identified(let found): identified(found, on: link)
            case .opened(let id):
                if let number = links[link]?.sessions[id] {
                    actions.append(.report(.opened(number, id: UInt32(id))))
                }
            case .refused(let id, let status):
                if let number = links[link]?.sessions.removeValue(forKey: id) {
                    actions.append(.report(.refused(number, "status \(status)")))
                }
            case .closedSession(let id):
                if let number = links[link]?.sessions.removeValue(forKey: id) {
                    actions.append(.report(.ended(number, "the accessory closed the session")))
                }
            case .data(let id, let bytes):
                if let number = links[link]?.sessions[id], !bytes.isEmpty {
                    actions.append(.report(.received(number, bytes)))
                }
            case .closed(let reason):
                actions.append(.close(.link(link)))
                remove(link, reason)
            }
        }
    }

    private mutating func identified(_ found: IAP2.Identification, on link: Int) {
        let accessory = ExternalAccessory.Accessory(
            id: UInt32(link), name: found.name, manufacturer: found.manufacturer,
            model: found.model, protocols: found.protocols.map(\.name))
        links[link]?.accessory = accessory
        if isReady { actions.append(.report(.connected(accessory))) }
        waitUntilSettled()
    }

    /// Removes a link: its accessory is disconnected and its sessions end.
    private mutating func remove(_ link: Int, _ reason: String) {
        guard let attached = links.removeValue(forKey: link) else { return }
        actions.append(.stopTimer(.link(link)))
        for number in attached.sessions.values { actions.append(.report(.ended(number, reason))) }
        if isReady, let accessory = attached.accessory {
            actions.append(.report(.disconnected(accessory)))
        }
        waitUntilSettled()
    }
}
