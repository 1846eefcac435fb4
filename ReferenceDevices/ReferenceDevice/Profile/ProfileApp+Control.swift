import Bluetooth
import Wire

extension ProfileApp {
    /// Carries out one line of the control channel and answers it.
    mutating func consume(controlLine line: String) {
        do throws(ControlError) {
            let request = try ControlRequest(line: line)
            guard let control = ProfileControl(rawValue: request.method) else {
                return answer(request.unknownMethod(among: ProfileControl.self))
            }
            let result = try perform(control, request)
            answer(request.answer(result))
        } catch {
            answer(error.answer)
        }
    }

    private mutating func answer(_ answer: Value?) {
        if let answer { act(.answer(answer)) }
    }

    private mutating func perform(
        _ control: ProfileControl, _ request: ControlRequest
    ) throws(ControlError) -> Value {
        switch control {
        case .scan: scan()
        case .stopScan:
            if wantsScan, isAvailable { host.scan(false) }
            wantsScan = false
        case .retrieve: try retrieve(carrier(request))
        case .monitor: try monitor(carrier(request))
        case .stopMonitoring:
            if !rules.makes(.monitorsForEver) { monitored.remove(try carrier(request)) }
        case .instantiate:
            let carrier = try carrier(request)
            guard let kind = configuration.classes.first(where: { $0.carrier == carrier }) else {
                throw refusal("no class is registered", request)
            }
            makeObject(kind, .address(try address(request)), via: "instantiate")
        case .make: try make(request)
        case .activate:
            let index = try object(request)
            if objects[index].state == .inactive { activate(index) }
        case .deactivate:
            let index = try object(request)
            guard objects[index].state == .active else {
                throw refusal("the connection is not active", request)
            }
            deactivate(index)
        case .send:
            let data = Array((request.params?["data"]?.stringValue ?? "").utf8)
            return .bool(send(data, by: try object(request)))
        case .systemConnect: want(WantedLink(address: try address(request), object: nil))
        case .systemDisconnect:
            let wanted = try address(request)
            for (handle, bearer) in bearers where bearer.address == wanted {
                host.disconnect(handle)
            }
        case .state:
            return .object(
                objects.map { Value.Member($0.id, .string("\($0.state)")) })
        case .stop: act(.exit(0))
        }
        return true
    }

    private mutating func scan() {
        if rules.makes(.scansBeforeAvailable), !isAvailable { host.scanAtOnce() }
        if isAvailable, !wantsScan { beginScan() }
        wantsScan = true
    }

    private mutating func retrieve(_ carrier: ProfileClass.Carrier) {
        guard !rules.makes(.retrievesNothing) else { return }
        detect(carrier, via: "retrieve")
        let kind = configuration.classes.first { $0.carrier == carrier }
        if rules.makes(.retrievesDisconnected), let kind {
            for address in formerDevices
            where !bearers.values.contains(where: { $0.address == address }) {
                makeObject(kind, .address(address), via: "retrieve")
            }
        }
    }

    private mutating func monitor(_ carrier: ProfileClass.Carrier) {
        monitored.insert(carrier)
        if rules.makes(.reportsOldOnMonitor) { detect(carrier, via: "monitor") }
    }

    /// Looks for the classes that match connected devices.
    private mutating func detect(_ carrier: ProfileClass.Carrier, via: String) {
        for handle in bearers.keys.sorted() where (accessories[handle] != nil) == (carrier == .iap)
        {
            if carrier == .gatt { probe(handle, via: via) } else { offer(handle, via: via) }
        }
        guard carrier == .iap else { return }
        for accessory in phone.accessories { offer(accessory, via: via) }
    }

    private mutating func make(_ request: ControlRequest) throws(ControlError) {
        let name = request.params?["class"]?.stringValue
        let address = try address(request)
        guard let kind = configuration.classes.first(where: { name == nil || $0.name == name })
        else { throw refusal("no such class is registered", request) }
        let id = request.params?["object"]?.stringValue ?? "manual"
        objects.removeAll { $0.id == id }
        objects.append(
            ProfileObject(
                id: id, kind: kind, device: .address(address), isManual: true))
    }

    // MARK: Parameters of requests

    private func refusal(_ message: String, _ request: ControlRequest) -> ControlError {
        ControlError(.invalidParams, message, id: request.id)
    }

    private func carrier(
        _ request: ControlRequest
    ) throws(ControlError) -> ProfileClass.Carrier {
        let word = request.params?["carrier"]?.stringValue ?? "gatt"
        guard let carrier = ProfileClass.Carrier(rawValue: word) else {
            throw refusal("carrier is gatt or iap", request)
        }
        return carrier
    }

    private func address(_ request: ControlRequest) throws(ControlError) -> DeviceAddress {
        guard let text = request.params?["address"]?.stringValue,
            let address = DeviceAddress(text)
        else { throw refusal("address is a device address", request) }
        return address
    }

    private func object(_ request: ControlRequest) throws(ControlError) -> Int {
        let id = request.params?["object"]?.stringValue
        guard let index = objects.firstIndex(where: { $0.id == id }) else {
            throw refusal("there is no object of that name", request)
        }
        return index
    }
}
