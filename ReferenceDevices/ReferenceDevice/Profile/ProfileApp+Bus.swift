import AccessoryBus
import ExternalAccessory
import Wire

// MARK: - Accessories of the accessory bus, and their sessions

extension ProfileApp {
    /// Performs the actions of the phone's side of the bus.
    mutating func perform(_ actions: [PhoneSide.Action]) {
        for action in actions {
            switch action {
            case .connect(let connection): act(.connect(.accessories(connection)))
            case .send(let bytes, let connection): act(.send(.accessories(connection), bytes))
            case .close(let connection): act(.close(.accessories(connection)))
            case .report(let event): consume(event)
            }
        }
    }

    private mutating func consume(_ event: BusEvent) {
        switch event {
        case .ready:
            isBusReady = true
            becomeAvailableIfSettled()
        case .connected(let accessory):
            if isAvailable, monitored.contains(.iap) { offer(accessory, via: "monitor") }
        case .opened(let session, _): if let index = object(of: session) { isActive(index) }
        case .refused(let session, _): if let index = object(of: session) { refused(index) }
        case .received(let session, let bytes):
            if let index = object(of: session) { reportReceived(bytes, by: index) }
        case .ended(let session, let reason):
            if let index = object(of: session) { lose(index, reason) }
        // The ends of sessions with a disconnected accessory are reported separately.
        case .disconnected: break
        case .malformed(let reason), .lost(let reason):
            log("bus", ["reason": .string(reason)])
        }
    }

    private func object(of session: SessionNumber) -> Int? {
        objects.firstIndex { $0.busSession == session }
    }

    /// Makes an object of an accessory, if one of the classes matches.
    mutating func offer(_ accessory: ExternalAccessory.Accessory, via: String) {
        guard
            let kind = rules.profileClass(
                for: accessory.protocols, via: via, among: configuration.classes)
        else { return }
        makeObject(kind, .accessory(accessory.id), via: via, accessory: accessory.name)
    }

    /// Opens the session of an object with a connected accessory.
    mutating func openBusSession(_ index: Int) {
        guard case .accessory(let number) = objects[index].device,
            let accessory = phone.accessories.first(where: { $0.id == number })
        else { return fail(index, "the accessory is not connected") }
        objects[index].state = .settingUp
        if rules.makes(.skipsSubscriptionOnReactivation), objects[index].activations > 0 {
            return isActive(index)
        }
        if rules.makes(.triesGATTForAccessories) { return }
        let wanted = rules.sessionString(
            of: objects[index].kind, declared: accessory.protocols)
        let (session, actions) = phone.openSession(with: number, protocolString: wanted)
        objects[index].busSession = session
        perform(actions)
    }

    /// Sends application data in a session.
    ///
    /// - Returns: Whether the data is sent.
    mutating func say(_ data: [UInt8], in session: SessionNumber) -> Bool {
        guard phone.isOpen(session) else { return false }
        perform(phone.send(rules.whole(data), in: session))
        return true
    }

    /// Ends the session of an object, and thereby the connection.
    mutating func close(_ session: SessionNumber, of index: Int) {
        if !rules.makes(.keepsSession) { perform(phone.close(session)) }
        leave(index)
        report(.deactivated, [Value.Member("object", .string(objects[index].id))])
    }
}
