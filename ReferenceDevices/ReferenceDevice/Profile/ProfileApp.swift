import AccessoryBus
import Bluetooth
import Wire

/// An app with profile connections, as a state machine.
///
/// It takes inputs and returns actions; it has no clock and does no I/O. It is a whole phone: the
/// Bluetooth host, the system with links of its own, the manager that finds devices, and the app's
/// profile connections.
public struct ProfileApp: DeviceMachine {
    /// The role of this kind of device in suites.
    public static let role = "profile.app"

    let configuration: ProfileConfiguration
    let rules: ProfileRules
    var host = HCIHost()
    var objects: [ProfileObject] = []
    var bearers: [UInt16: ProfileBearer] = [:]
    /// The accessories at the other ends of BR/EDR links.
    var accessories: [UInt16: AccessoryLink] = [:]
    /// The accessories of the bus, and the sessions with them.
    var phone = PhoneSide()
    /// Whether the accessories of the bus are known, or there is no bus.
    var isBusReady: Bool
    /// The time of the current input.
    private(set) var now = Duration.zero
    /// Devices to which a link is requested, in order; the phone is connecting to the first.
    var wantedLinks: [WantedLink] = []
    /// The number of pending system connections that must be established before the app acts.
    var awaitedSystemLinks = 0
    var isAvailable = false
    var wantsScan = false
    /// The carriers that are monitored.
    var monitored: Set<ProfileClass.Carrier> = []
    /// Devices that have been connected, in order.
    var formerDevices: [DeviceAddress] = []
    private var isReporting = false
    private var reports: [UInt8] = []
    private var actions: [DeviceAction<ProfileLink, ProfileTimer>] = []

    /// A requested link.
    struct WantedLink: Sendable, Hashable {
        let address: DeviceAddress
        /// The object that the link is for; `nil` for the system.
        let object: String?
    }

    /// Creates an app that has not started.
    public init(
        configuration: ProfileConfiguration, mutant: ProfileAppMutant?,
        habits: Set<ProfileAppHabit> = []
    ) {
        self.configuration = configuration
        rules = ProfileRules(mutant, habits: habits)
        isBusReady = !configuration.hasAccessoryBus
        if rules.makes(.monitorsFromLaunch) { monitored = [.gatt, .iap] }
    }

    /// Handles an input and returns the actions it leads to.
    public mutating func handle(
        _ input: DeviceInput<ProfileLink, ProfileTimer>, at now: Int64
    ) -> [DeviceAction<ProfileLink, ProfileTimer>] {
        self.now = .nanoseconds(now)
        switch input {
        case .started:
            act(.connect(.controller))
            act(.connect(.reports))
            if configuration.hasAccessoryBus { perform(phone.start()) }
        case .connected(.controller):
            host.start()
        case .connected(.reports):
            isReporting = true
            act(.send(.reports, reports))
            reports = []
        case .connectFailed(.controller, let reason), .disconnected(.controller, let reason):
            log("lost", ["reason": .string(reason)])
            act(.exit(1))
        case .connectFailed(.reports, _), .disconnected(.reports, _): isReporting = false
        case .received(.controller, let bytes):
            for event in host.receive(bytes) { consume(event) }
        case .accepted, .received(.reports, _): break
        case .connected(.accessories(let connection)): perform(phone.connected(connection))
        case .received(.accessories(let connection), let bytes):
            perform(phone.received(bytes, on: connection))
        case .connectFailed(.accessories(let connection), let reason),
            .disconnected(.accessories(let connection), let reason):
            perform(phone.ended(connection, reason))
        case .timerFired(let timer): expire(timer)
        case .controlLine(let line): consume(controlLine: line)
        case .terminate: act(.exit(0))
        }
        let bytes = host.takeOutgoing()
        if !bytes.isEmpty { act(.send(.controller, bytes)) }
        defer { actions = [] }
        return actions
    }

    mutating func act(_ action: DeviceAction<ProfileLink, ProfileTimer>) { actions.append(action) }

    /// Starts a timer that fires after that many milliseconds.
    mutating func start(_ timer: ProfileTimer, _ milliseconds: Int) {
        let due = now + .milliseconds(milliseconds)
        act(.startTimer(timer, at: Int64(due / .nanoseconds(1))))
    }

    /// Reports an event that no packet shows.
    mutating func report(_ kind: ProfileReport.Kind, _ fields: [Value.Member] = []) {
        var report = ProfileReport(kind)
        report.members = fields
        log(kind.rawValue, .object(fields))
        let bytes = report.line
        if isReporting { act(.send(.reports, bytes)) } else { reports += bytes }
    }

    mutating func log(_ event: String, _ fields: Value = .object([])) {
        act(
            .log(
                .object(
                    [Value.Member("event", .string(event))] + (fields.objectValue ?? []))))
    }

    // MARK: The transport

    private mutating func consume(_ event: HCIHost.Event) {
        switch event {
        case .ready: becomeReady()
        case .advertisement(let address, let data, let rssi, let isScanResponse):
            hear(address, AdvertisingData(parsing: data), rssi, isScanResponse: isScanResponse)
        case .connected(let handle, let address): connected(handle, address)
        case .connectionFailed(let status): connectionFailed(status)
        case .disconnected(let handle, let reason): disconnected(handle, reason)
        case .data(let handle, let frame):
            if accessories[handle] == nil {
                consume(frame, on: handle)
            } else {
                serve(handle) { $0.consume(frame, at: $1) }
            }
        }
    }

    private mutating func becomeReady() {
        let addresses = configuration.systemConnections.compactMap { DeviceAddress($0) }
        awaitedSystemLinks = addresses.count
        for address in addresses { want(WantedLink(address: address, object: nil)) }
        becomeAvailableIfSettled()
    }

    mutating func becomeAvailableIfSettled() {
        guard host.isReady, isBusReady, !isAvailable, awaitedSystemLinks == 0 else { return }
        isAvailable = true
        for carrier in carriers {
            report(.available, [Value.Member("carrier", .string(carrier.rawValue))])
        }
        if wantsScan, !rules.makes(.forgetsScanWish) { beginScan() }
    }

    /// The carriers of the registered classes, as far as the controller supports them.
    private var carriers: [ProfileClass.Carrier] {
        ProfileClass.Carrier.allCases.filter { carrier in
            let isWanted = configuration.classes.contains { $0.carrier == carrier }
            return carrier == .gatt
                ? isWanted || configuration.classes.isEmpty
                : isWanted && (host.isDual || configuration.hasAccessoryBus)
        }
    }

    /// Records that a link of the system is established, or that it cannot be made.
    mutating func settleSystemLink() {
        guard !isAvailable else { return }
        awaitedSystemLinks = max(0, awaitedSystemLinks - 1)
        becomeAvailableIfSettled()
    }

    mutating func beginScan() { host.scan(true, isActive: !rules.has(.scansPassively)) }

    /// Handles an advertisement: the first one of an eligible device makes a connection object.
    private mutating func hear(
        _ address: DeviceAddress, _ data: AdvertisingData, _ rssi: Int8, isScanResponse: Bool
    ) {
        guard wantsScan,
            let kind = rules.profileClass(
                for: data, isScanResponse: isScanResponse, among: configuration.classes),
            rules.has(.reportsAgain) || !objects.contains(where: { $0.id == address.description })
        else { return }
        makeObject(kind, .address(address), via: "scan", rssi: rssi)
    }

    /// Makes an object of a device, unless one exists, and reports it.
    mutating func makeObject(
        _ kind: ProfileClass, _ device: ProfileObject.Device, via: String, rssi: Int8? = nil,
        accessory: String? = nil
    ) {
        if !objects.contains(where: { $0.id == device.id }) {
            objects.append(
                ProfileObject(id: device.id, kind: kind, device: device, isManual: false))
        }
        var address: DeviceAddress?
        if case .address(let known) = device { address = known }
        report(
            .discovered,
            [
                Value.Member("object", .string(device.id)),
                Value.Member("carrier", .string(kind.carrier.rawValue)),
                Value.Member("class", .string(kind.name)),
                Value.Member("via", .string(via)),
            ] + (address.map { [Value.Member("address", .string($0.description))] } ?? [])
                + (rssi.map { [Value.Member("rssi", .integer(Int64($0)))] } ?? [])
                + (accessory.map { [Value.Member("accessory", .string($0))] } ?? []))
        guard rules.makes(.connectsOnDiscovery),
            let index = objects.firstIndex(where: { $0.id == device.id })
        else { return }
        if kind.carrier == .iap {
            activate(index)
        } else if via == "scan", let address {
            want(WantedLink(address: address, object: device.id))
        }
    }

    // MARK: Links

    /// Requests a link; links are made one at a time.
    mutating func want(_ wanted: WantedLink) {
        wantedLinks.append(wanted)
        if wantedLinks.count == 1 { connectNext() }
    }

    private mutating func connectNext() {
        guard let next = wantedLinks.first else {
            if rules.has(.scansAnew), wantsScan { beginScan() }
            return
        }
        if rules.has(.scansAnew), wantsScan { host.scan(false) }
        host.connect(to: next.address, byList: rules.has(.usesAcceptList))
        start(.connection, configuration.connectTimeout)
    }

    private mutating func takeWantedLink() -> WantedLink? {
        guard !wantedLinks.isEmpty else { return nil }
        act(.stopTimer(.connection))
        let wanted = wantedLinks.removeFirst()
        connectNext()
        return wanted
    }

    private mutating func connected(_ handle: UInt16, _ address: DeviceAddress) {
        let wanted = wantedLinks.first?.address == address ? takeWantedLink() : nil
        bearers[handle] = ProfileBearer(address, belongsToSystem: wanted?.object == nil)
        formerDevices.removeAll { $0 == address }
        formerDevices.append(address)
        if host.isClassic(handle) { attach(handle) }
        if let index = objects.firstIndex(where: { $0.id == wanted?.object }) {
            objects[index].handle = handle
            objects[index].ownsLink = true
            if objects[index].state == .connecting { setUp(index, on: handle) }
            return
        }
        guard !host.isClassic(handle) else { return }
        if !isAvailable {
            settleSystemLink()
        } else if monitored.contains(.gatt) {
            probe(handle, via: "monitor")
        }
    }

    private mutating func connectionFailed(_ status: UInt8) {
        guard let wanted = takeWantedLink() else { return }
        if let index = objects.firstIndex(where: { $0.id == wanted.object }) {
            guard !rules.makes(.neverFailsConnecting) else { return }
            fail(index, "no link: status \(status)")
        } else {
            settleSystemLink()
        }
    }

    private mutating func disconnected(_ handle: UInt16, _ reason: UInt8) {
        bearers[handle] = nil
        detach(handle)
        act(.stopTimer(.request(handle)))
        for index in objects.indices
        where objects[index].handle == handle || rules.makes(.losesAll) {
            if objects[index].state == .disconnecting {
                leave(index)
                report(.deactivated, [Value.Member("object", .string(objects[index].id))])
            } else {
                lose(index, "link ended: reason \(reason)")
            }
        }
    }

    /// Handles the loss of an object's link or session.
    mutating func lose(_ index: Int, _ reason: String) {
        let object = objects[index]
        switch object.state {
        case .active, .unsubscribing:
            if rules.makes(.crashesOnLoss) { return act(.harm(.crash)) }
            if rules.makes(.staysActiveAfterLoss) { return }
            leave(index)
            report(
                .inactive,
                [
                    Value.Member("object", .string(object.id)),
                    Value.Member("reason", .string(reason)),
                ])
            if rules.makes(.sendsOnDeadHandle), let handle = object.handle {
                let places = object.setup?.characteristics.filter { $0.properties & 0x0C != 0 }
                start(.write(places?.first?.value ?? 3, on: handle), 700)
            }
        case .settingUp, .connecting: fail(index, reason)
        case .inactive, .disconnecting: leave(index)
        }
    }

    /// Removes the link and the sessions of an object, which becomes inactive.
    mutating func leave(_ index: Int) {
        objects[index].state = .inactive
        objects[index].handle = nil
        objects[index].ownsLink = false
        objects[index].setup = nil
        objects[index].session = nil
        objects[index].busSession = nil
    }

    private mutating func expire(_ timer: ProfileTimer) {
        switch timer {
        case .accessory(let handle): serve(handle) { $0.advance(to: $1) }
        case .connection: host.cancelConnection()
        case .write(let characteristic, let handle):
            host.send(
                ATTPacket.writeCommand(handle: characteristic, value: [0x21]).bytes,
                channel: L2CAPFrame.Channel.attributes, on: handle)
        case .request(let handle):
            bearers[handle]?.current = nil
            let waiting = objects.indices.filter { objects[$0].handle == handle }
            guard !rules.goesOnWithoutAnswer else {
                for index in waiting where objects[index].state == .settingUp {
                    proceed(index, after: nil)
                }
                return
            }
            // A bearer on which a request was never answered is no longer used (3.3.3).
            bearers[handle]?.queue = []
            for index in waiting { fail(index, "no answer in time") }
        }
    }
}
