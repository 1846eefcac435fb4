import Bluetooth
import Wire

// MARK: - Activation and deactivation

extension ProfileApp {
    /// Activates an object: makes its link, if it has none, then performs the setup of its class.
    mutating func activate(_ index: Int) {
        let object = objects[index]
        if rules.makes(.neverReactivates), object.activations > 0 { return }
        report(.activating, [Value.Member("object", .string(object.id))])
        objects[index].isReported = false
        if let handle = bearers.first(where: { $0.value.address == object.address })?.key {
            guard !object.isManual || !rules.makes(.manualRefusesConnected) else {
                return fail(index, "no manager makes connections for it")
            }
            objects[index].handle = handle
            return setUp(index, on: handle)
        }
        guard let address = object.address else { return openBusSession(index) }
        guard !object.isManual || rules.makes(.manualConnects) else {
            if rules.makes(.manualNeverFails) { return }
            return fail(index, "the device is not connected, and no manager makes connections")
        }
        objects[index].state = .connecting
        want(WantedLink(address: address, object: object.id))
    }

    mutating func setUp(_ index: Int, on handle: UInt16) {
        objects[index].state = .settingUp
        guard objects[index].kind.carrier == .gatt else { return openSession(index, on: handle) }
        if rules.makes(.reportsSuccessOnConnect) { reportActivated(index) }
        var kind = objects[index].kind
        if rules.makes(.skipsSubscriptionOnReactivation), objects[index].activations > 0 {
            kind.subscribes = []
        }
        objects[index].setup = GATTSetup(
            kind, rules: rules, discoversByUUID: configuration.discoversByUUID,
            mtu: bearers[handle]?.mtu)
        proceed(index, after: nil)
    }

    /// Performs the next step of an object's setup.
    mutating func proceed(_ index: Int, after answer: ATTPacket?) {
        guard let handle = objects[index].handle, var setup = objects[index].setup else { return }
        let step = setup.next(after: answer)
        objects[index].setup = setup
        switch step {
        case .request(let packet): query(packet, .object(objects[index].id), on: handle)
        case .early(let packet):
            reportActivated(index)
            query(packet, .object(objects[index].id), on: handle)
        case .failed(let reason): fail(index, reason)
        case .done:
            bearers[handle]?.mtu = setup.mtu
            reportActivated(index)
            objects[index].state = .active
            objects[index].activations += 1
        }
    }

    /// Reports that an activation has succeeded.
    mutating func reportActivated(_ index: Int) {
        guard !objects[index].isReported else { return }
        objects[index].isReported = true
        report(.activated, [Value.Member("object", .string(objects[index].id))])
    }

    /// Reports that an activation has failed, and ends the link that was made for it.
    mutating func fail(_ index: Int, _ reason: String) {
        let object = objects[index]
        leave(index)
        if !object.isReported {
            report(
                .activationFailed,
                [
                    Value.Member("object", .string(object.id)),
                    Value.Member("reason", .string(reason)),
                ])
        }
        if object.ownsLink, let handle = object.handle, bearers[handle] != nil {
            host.disconnect(handle)
        }
    }

    /// Reverses the activation: ends the subscriptions, then the link if the object owns it.
    mutating func deactivate(_ index: Int) {
        if let session = objects[index].busSession { return close(session, of: index) }
        guard let handle = objects[index].handle else { return }
        if let session = objects[index].session, !rules.makes(.keepsSession) {
            closeSession(session, on: handle)
        }
        let subscriptions = objects[index].setup?.subscriptions ?? []
        objects[index].state = .unsubscribing(
            rules.makes(.disconnectsWithoutUnsubscribing) ? [] : subscriptions.reversed())
        unsubscribeNext(index)
    }

    mutating func unsubscribeNext(_ index: Int) {
        guard let handle = objects[index].handle,
            case .unsubscribing(var left) = objects[index].state
        else { return }
        if let next = left.popLast() {
            objects[index].state = .unsubscribing(left)
            query(
                .writeRequest(handle: next, value: [0, 0]), .object(objects[index].id),
                on: handle)
            guard rules.makes(.disconnectsBeforeTheAnswer) else { return }
        }
        let belongsToSystem = !objects[index].ownsLink
        let endsLink =
            belongsToSystem
            ? rules.makes(.disconnectsSystemLink) : !rules.keepsOwnLink(objects[index].kind.carrier)
        if endsLink {
            objects[index].state = .disconnecting
            host.disconnect(handle)
            if rules.makes(.endsAllLinks) {
                for other in bearers.keys where other != handle { host.disconnect(other) }
            }
        } else {
            leave(index)
            report(.deactivated, [Value.Member("object", .string(objects[index].id))])
        }
    }

    /// Sends application data of an active object.
    ///
    /// - Returns: Whether the data is sent.
    mutating func send(_ data: [UInt8], by index: Int) -> Bool {
        let object = objects[index]
        guard object.kind.carrier == .gatt else { return say(data, by: index) }
        guard object.state == .active || rules.makes(.sendsInactive), let handle = object.handle,
            let setup = object.setup, let uuid = object.kind.writes,
            let place = setup.characteristic(uuid)
        else { return false }
        if object.state != .active {
            send(.writeCommand(handle: place.value, value: data), on: handle)
            return true
        }
        let size = max(1, setup.mtu - 3)
        let whole = rules.whole(data)
        for start in stride(from: 0, to: max(1, whole.count), by: size) {
            let part = Array(whole[start..<min(whole.count, start + size)])
            if place.properties & 0x08 != 0 {
                query(
                    .writeRequest(handle: place.value, value: part), .object(object.id),
                    on: handle)
            } else {
                send(.writeCommand(handle: place.value, value: part), on: handle)
            }
        }
        return true
    }
}

// MARK: - The attribute protocol

extension ProfileApp {
    /// Sends a request on a link as soon as no other request is pending there.
    mutating func query(_ packet: ATTPacket, _ asker: ProfileBearer.Requester, on handle: UInt16) {
        bearers[handle]?.queue.append(ProfileBearer.Request(packet: packet, asker: asker))
        askNext(on: handle)
    }

    private mutating func askNext(on handle: UInt16) {
        guard let bearer = bearers[handle], bearer.current == nil, let next = bearer.queue.first
        else { return }
        bearers[handle]?.queue.removeFirst()
        bearers[handle]?.current = next
        start(.request(handle), rules.answerTimeout)
        send(next.packet, on: handle)
    }

    private mutating func send(_ packet: ATTPacket, on handle: UInt16) {
        host.send(packet.bytes, channel: L2CAPFrame.Channel.attributes, on: handle)
    }

    mutating func consume(_ frame: L2CAPFrame, on handle: UInt16) {
        guard frame.channel == L2CAPFrame.Channel.attributes else { return }
        guard let packet = try? ATTPacket(parsing: frame.payload.span.bytes) else {
            if rules.makes(.crashesOnMalformed) { return act(.harm(.crash)) }
            return answered(nil, on: handle)
        }
        switch packet {
        case .handleValueNotification(let place, let value): received(value, by: place, on: handle)
        case .handleValueIndication(let place, let value):
            send(.handleValueConfirmation, on: handle)
            received(value, by: place, on: handle)
        case .multipleHandleValueNotification(let values):
            for value in values { received(value.value, by: value.handle, on: handle) }
        default:
            if packet.opcode % 2 == 1 {
                answered(packet, on: handle)
            } else if packet.opcode & 0x40 == 0 {
                // A client supports no requests (Core 5.4 Vol 3 Part F 3.4.1.1).
                send(
                    .errorResponse(
                        request: packet.opcode, handle: 0,
                        error: ATTError.requestNotSupported.rawValue), on: handle)
            }
        }
    }

    private mutating func received(_ value: [UInt8], by place: UInt16, on handle: UInt16) {
        let index = objects.firstIndex { object in
            (object.handle == handle || rules.makes(.deliversToFirst)) && object.state == .active
                && object.setup?.characteristics.contains {
                    $0.value == place && object.kind.subscribes.contains($0.uuid)
                } == true
        }
        if let index { reportReceived(value, by: index) }
    }

    /// Reports application data.
    mutating func reportReceived(_ value: [UInt8], by index: Int) {
        report(
            .received,
            [
                Value.Member("object", .string(objects[index].id)),
                Value.Member("data", .string(String(decoding: value, as: UTF8.self))),
            ])
    }

    /// Handles the answer to the pending request on a link; `nil` is an unreadable answer.
    private mutating func answered(_ answer: ATTPacket?, on handle: UInt16) {
        guard let request = bearers[handle]?.current else { return }
        // An answer to a different request is ignored.
        if let answer, !answer.answers(request.packet) { return }
        bearers[handle]?.current = nil
        act(.stopTimer(.request(handle)))
        switch request.asker {
        case .probe: proceedProbe(on: handle, after: answer)
        case .object(let id):
            guard let index = objects.firstIndex(where: { $0.id == id }) else { break }
            switch objects[index].state {
            case .settingUp where answer == nil: fail(index, "an answer that cannot be read")
            case .settingUp: proceed(index, after: answer)
            case .unsubscribing: unsubscribeNext(index)
            case .inactive, .connecting, .active, .disconnecting: break
            }
        }
        askNext(on: handle)
    }
}

extension ATTPacket {
    /// Whether it is the response or an error response to a request.
    fileprivate func answers(_ request: ATTPacket) -> Bool {
        if case .errorResponse(let refused, _, _) = self { return refused == request.opcode }
        return opcode == request.opcode + 1
    }
}

// MARK: - Devices that are already connected

extension ProfileApp {
    /// Looks for the class that matches a connected device.
    mutating func probe(_ handle: UInt16, via: String) {
        let classes = configuration.classes.filter { $0.carrier == .gatt }
        guard let first = classes.first, let bearer = bearers[handle] else { return }
        if via == "retrieve", rules.makes(.retrievesEverything) {
            return makeObject(first, .address(bearer.address), via: via)
        }
        bearers[handle]?.probe = ServiceProbe(
            via: via, classes: classes,
            setup: GATTSetup(lookingFor: first.interestedServiceUUIDs, rules: ProfileRules(nil)))
        proceedProbe(on: handle, after: nil)
    }

    mutating func proceedProbe(on handle: UInt16, after answer: ATTPacket?) {
        guard var probe = bearers[handle]?.probe, let bearer = bearers[handle] else { return }
        switch probe.setup.next(after: answer) {
        case .request(let packet), .early(let packet):
            bearers[handle]?.probe = probe
            query(packet, .probe, on: handle)
        case .done:
            bearers[handle]?.probe = nil
            if let found = probe.classes.first {
                makeObject(found, .address(bearer.address), via: probe.via)
            }
        case .failed:
            probe.classes.removeFirst()
            bearers[handle]?.probe = nil
            guard let next = probe.classes.first else { return }
            probe.setup = GATTSetup(
                lookingFor: next.interestedServiceUUIDs, rules: ProfileRules(nil))
            bearers[handle]?.probe = probe
            proceedProbe(on: handle, after: nil)
        }
    }
}
