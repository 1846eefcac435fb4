import Bluetooth
import Wire

// MARK: - Accessories over BR/EDR, and their sessions

extension ProfileApp {
    /// Starts to look for the accessory at the other end of a new BR/EDR link.
    mutating func attach(_ handle: UInt16) {
        accessories[handle] = AccessoryLink()
        serve(handle) { _, _ in [] }
    }

    mutating func detach(_ handle: UInt16) {
        guard accessories.removeValue(forKey: handle) != nil else { return }
        act(.stopTimer(.accessory(handle)))
        if bearers[handle]?.belongsToSystem == true { settleSystemLink() }
    }

    /// Calls `body` with the phone's end of a link, sends its output and handles its events.
    mutating func serve(
        _ handle: UInt16, _ body: (inout AccessoryLink, Duration) -> [AccessoryLink.Event]
    ) {
        guard var link = accessories[handle] else { return }
        let events = body(&link, now)
        for frame in link.takeFrames() {
            host.send(frame.payload, channel: frame.channel, on: handle)
        }
        accessories[handle] = link
        if let due = link.nextDeadline {
            let left = (max(.zero, due - now) / .milliseconds(1)).rounded(.up)
            start(.accessory(handle), Int(left))
        } else {
            act(.stopTimer(.accessory(handle)))
        }
        for event in events { consume(event, of: handle) }
    }

    private mutating func consume(_ event: AccessoryLink.Event, of handle: UInt16) {
        switch event {
        case .identified: identified(handle)
        case .opened(let session):
            if let index = object(of: session, on: handle) { isActive(index) }
        case .refused(let session):
            if let index = object(of: session, on: handle) { refused(index) }
        case .closed(let session):
            guard let index = object(of: session, on: handle) else { break }
            lose(index, "the accessory closed the session")
        case .received(let session, let bytes):
            if let index = object(of: session, on: handle) { reportReceived(bytes, by: index) }
        case .ended(let why): ended(handle, why)
        }
    }

    private func object(of session: UInt16, on handle: UInt16) -> Int? {
        objects.firstIndex { $0.handle == handle && $0.session == session }
    }

    /// Handles a refused session of an object.
    mutating func refused(_ index: Int) {
        if rules.makes(.ignoresRefusedSession) {
            isActive(index)
        } else {
            fail(index, "the session was refused")
        }
    }

    /// Handles an open session of an object.
    mutating func isActive(_ index: Int) {
        objects[index].state = .active
        objects[index].activations += 1
        reportActivated(index)
    }

    /// Handles an identified accessory: opens sessions for waiting objects, or reports it.
    private mutating func identified(_ handle: UInt16) {
        let waiting = objects.indices.filter {
            objects[$0].handle == handle && objects[$0].state == .settingUp
        }
        for index in waiting { openSession(index, on: handle) }
        if !isAvailable {
            settleSystemLink()
        } else if waiting.isEmpty, monitored.contains(.iap) {
            offer(handle, via: "monitor")
        }
    }

    /// Handles the end of iAP2 on a link: its objects become inactive, and the link is ended.
    private mutating func ended(_ handle: UInt16, _ why: String) {
        for index in objects.indices where objects[index].handle == handle { lose(index, why) }
        if bearers[handle] != nil { host.disconnect(handle) }
        if !isAvailable { settleSystemLink() }
    }

    /// Makes an object of a connected accessory, if one of the classes matches.
    mutating func offer(_ handle: UInt16, via: String) {
        guard let link = accessories[handle], let protocols = link.protocols,
            let bearer = bearers[handle],
            let kind = rules.profileClass(for: protocols, via: via, among: configuration.classes)
        else { return }
        makeObject(kind, .address(bearer.address), via: via, accessory: link.name)
    }

    // MARK: Sessions

    /// Opens the session of an object, as soon as its accessory is identified.
    mutating func openSession(_ index: Int, on handle: UInt16) {
        if rules.makes(.skipsSubscriptionOnReactivation), objects[index].activations > 0 {
            return isActive(index)
        }
        guard let protocols = accessories[handle]?.protocols else { return }
        if rules.makes(.triesGATTForAccessories) {
            if let address = objects[index].address {
                host.connect(to: address, overLowEnergy: true)
            }
            return
        }
        let wanted = rules.sessionString(of: objects[index].kind, declared: protocols)
        var session: UInt16?
        serve(handle) { link, now in
            session = link.open(wanted, at: now)
            return []
        }
        guard let session else { return fail(index, "the accessory does not declare \(wanted)") }
        objects[index].session = session
    }

    mutating func closeSession(_ session: UInt16, on handle: UInt16) {
        serve(handle) { link, now in
            link.close(session: session, at: now)
            return []
        }
    }

    /// Sends application data in the session of an active object.
    ///
    /// - Returns: Whether the data is sent.
    mutating func say(_ data: [UInt8], by index: Int) -> Bool {
        let object = objects[index]
        if let session = object.busSession { return say(data, in: session) }
        guard object.state == .active, let handle = object.handle, let session = object.session
        else { return false }
        let whole = rules.whole(data)
        var isSent = false
        serve(handle) { link, now in
            isSent = link.send(whole, session: session, at: now)
            return []
        }
        return isSent
    }
}
