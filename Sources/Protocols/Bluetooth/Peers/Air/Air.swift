import Bluetooth

/// The simulated radio medium between the hosts' controllers and remote devices.
///
/// It decides who receives whom and holds the open links. It has no sockets and no clock of its
/// own: `advance(to:)` gives it the time, in nanoseconds.
package struct Air: Sendable {
    private struct AirDevice: Sendable {
        let name: String
        var device: any RemoteDevice
        /// When it advertises next; `nil` while no host listens.
        var nextAdvertisement: Int64?
    }

    private struct Delayed: Sendable {
        let time: Int64
        let command: AirCommand
    }

    /// How long a device that is not there is paged (Core 5.4 Vol 4 Part E 6.6, the default).
    private static let pageTimeout: Int64 = 5_120_000_000
    /// How long a controller waits for the first packet of a new link: six intervals of 30 ms.
    private static let establishmentTimeout: Int64 = 180_000_000
    /// The time from the start of a host's listening to the first advertisement of the first
    /// device.
    private static let firstHeard: Int64 = 1_000_000
    /// The limit on waiting data of hosts; beyond it the oldest entry is dropped.
    private static let waitingMax = 4096

    private let settings: ControllerSettings
    private var controllers: [Int: VirtualController] = [:]
    private var airDevices: [AirDevice] = []
    private var owners: [AirLink: String] = [:]
    private var delayed: [Delayed] = []
    /// The links that no device has answered.
    private var unestablished: Set<AirLink> = []
    private var unanswered: [(host: Int, address: DeviceAddress, until: Int64)] = []
    private var now: Int64 = 0
    /// Whether the controllers of new hosts start mute.
    private var isMute: Bool
    /// Whether remote devices process requests of hosts only once `show` has reported them.
    private let actsOnTrace: Bool
    private var unseen: [(link: AirLink, unit: L2CAPFrame)] = []
    private var seen: [[UInt8]] = []
    private var said: [AppSessionEvent] = []

    /// Creates the air, without devices, for controllers of one kind.
    ///
    /// - Parameters:
    ///   - settings: The properties of the controllers.
    ///   - isMute: Whether the controllers send nothing before `mute(false)`.
    ///   - actsOnTrace: Whether remote devices process requests of hosts only once `show` has
    ///     reported them.
    package init(_ settings: ControllerSettings, isMute: Bool = false, actsOnTrace: Bool = false) {
        self.settings = settings
        self.isMute = isMute
        self.actsOnTrace = actsOnTrace
    }

    // MARK: Devices and hosts

    /// Adds a device to the air.
    package mutating func add(_ device: any RemoteDevice, named name: String) {
        airDevices.append(AirDevice(name: name, device: device))
    }

    /// Creates the controller of a host that has connected.
    package mutating func connect(host: Int) {
        controllers[host] = VirtualController(settings, isMute: isMute)
    }

    /// Removes the controller and the links of a host that has gone.
    package mutating func disconnect(host: Int) {
        controllers[host] = nil
        for link in unestablished.union(owners.keys) where link.host == host { forget(link) }
    }

    /// Processes bytes from a host.
    package mutating func receive(_ bytes: [UInt8], of host: Int) {
        controllers[host]?.receive(bytes)
        settle()
    }

    /// Reports a request of a host that the trace shows; the addressed device processes it.
    package mutating func show(_ request: [UInt8]) {
        seen.append(request)
        if seen.count > Self.waitingMax { seen.removeFirst() }
        settle()
    }

    /// Reports what an app has said in a session, as the trace shows it.
    ///
    /// The accessory that has received it processes it.
    package mutating func show(_ saying: AppSessionEvent) {
        said.append(saying)
        if said.count > Self.waitingMax { said.removeFirst() }
        settle()
    }

    /// Mutes all controllers, or unmutes them and lets them process what came meanwhile.
    package mutating func mute(_ isMute: Bool) {
        self.isMute = isMute
        for host in controllers.keys { controllers[host]?.mute(isMute) }
        settle()
    }

    /// Gives access to the device of the given name, if it has the given type.
    package mutating func with<Device: RemoteDevice, Failure: Error>(
        _ name: String, as type: Device.Type, do body: (inout Device) throws(Failure) -> Void
    ) throws(Failure) {
        guard let index = airDevices.firstIndex(where: { $0.name == name }),
            var device = airDevices[index].device as? Device
        else { return }
        try body(&device)
        airDevices[index].device = device
        settle()
    }

    /// Returns the packets for the hosts since the last call, in order.
    package mutating func takePackets() -> [(host: Int, bytes: [UInt8])] {
        controllers.keys.sorted().flatMap { host in
            (controllers[host]?.takeOutgoing() ?? []).map { (host, $0) }
        }
    }

    // MARK: Time

    /// The time of the next event that needs no input; `nil` if there is none.
    package var nextDeadline: Int64? {
        let listened = airDevices.compactMap { isAwaited($0) ? $0.nextAdvertisement : nil }
        let own = airDevices.compactMap(\.device.nextDeadline)
        return (listened + own + delayed.map(\.time) + unanswered.map(\.until)).min()
    }

    /// Advances the clock and carries out what is due.
    package mutating func advance(to now: Int64) {
        self.now = now
        for command in takeDue() { carryOut(command, isDue: true) }
        for page in unanswered where page.until <= now {
            controllers[page.host]?.classicConnection(to: page.address, failed: 0x04)
        }
        unanswered.removeAll { $0.until <= now }
        for index in airDevices.indices {
            airDevices[index].device.advance(to: now)
            if let due = airDevices[index].nextAdvertisement, due <= now { advertise(index) }
        }
        settle()
    }

    private mutating func takeDue() -> [AirCommand] {
        let due = delayed.filter { $0.time <= now }.sorted { $0.time < $1.time }
        delayed.removeAll { $0.time <= now }
        return due.map(\.command)
    }

    // MARK: Advertising

    /// Whether a host listens for a device's advertisements.
    private func isAwaited(_ airDevice: AirDevice) -> Bool {
        guard airDevice.device.advertising != nil, !isLinked(airDevice) else { return false }
        return controllers.values.contains {
            $0.scan != nil || $0.wantsConnection(to: airDevice.device.address)
        }
    }

    private func isLinked(_ airDevice: AirDevice) -> Bool {
        owners.values.contains(airDevice.name)
    }

    /// Performs an advertising event.
    ///
    /// Scanning hosts hear it, and a host that wants to connect to the device connects.
    private mutating func advertise(_ index: Int) {
        let airDevice = airDevices[index]
        guard isAwaited(airDevice), let advertising = airDevice.device.advertising else {
            airDevices[index].nextAdvertisement = nil
            return
        }
        airDevices[index].nextAdvertisement = now + max(1_000_000, advertising.interval)
        let address = airDevice.device.address
        for host in controllers.keys.sorted() {
            var report = AdvertisingReport(address: address, data: advertising.data)
            report.rssi = advertising.rssi
            controllers[host]?.report(report)
            if let data = advertising.scanResponse {
                report.data = data
                report.isScanResponse = true
                controllers[host]?.report(report)
            }
        }
        guard
            let host = controllers.keys.sorted().first(where: {
                controllers[$0]?.wantsConnection(to: address) == true
            })
        else { return }
        switch airDevice.device.answersConnection {
        case .accepts:
            guard let handle = controllers[host]?.connected(to: address) else { return }
            open(AirLink(host: host, handle: handle), to: index)
        case .ignores: break
        case .fails(let status):
            // A controller reports the link when it has sent its request, and its loss when the
            // device has not answered for six connection intervals (Vol 6 Part B 4.5).
            guard let handle = controllers[host]?.connected(to: address) else { return }
            let link = AirLink(host: host, handle: handle)
            unestablished.insert(link)
            delayed.append(
                Delayed(
                    time: now + Self.establishmentTimeout, command: .end(link, reason: status)))
        }
    }

    // MARK: Links

    private mutating func open(_ link: AirLink, to index: Int) {
        owners[link] = airDevices[index].name
        let host = controllers[link.host]?.localAddress(on: link.handle)
        guard let host else { return }
        airDevices[index].device.opened(link, to: host)
    }

    private mutating func forget(_ link: AirLink) {
        if unestablished.remove(link) != nil { delayed.removeAll { $0.command.link == link } }
        guard let name = owners.removeValue(forKey: link) else { return }
        unseen.removeAll { $0.link == link }
        delayed.removeAll { $0.command.link == link }
        if let index = airDevices.firstIndex(where: { $0.name == name }) {
            airDevices[index].device.closed(link)
        }
    }

    private func owner(of link: AirLink) -> Int? {
        owners[link].flatMap { name in airDevices.firstIndex { $0.name == name } }
    }

    /// Processes what hosts and devices have requested, until nothing is left.
    private mutating func settle() {
        var isAtRest = false
        while !isAtRest {
            isAtRest = true
            for host in controllers.keys.sorted() {
                for hostEvent in controllers[host]?.takeHostEvents() ?? [] {
                    consume(hostEvent, of: host)
                    isAtRest = false
                }
            }
            takeSeen()
            takeSaid()
            for index in airDevices.indices {
                for command in airDevices[index].device.takeCommands() {
                    carryOut(command, of: index)
                    isAtRest = false
                }
            }
        }
        connectToHosts()
        for index in airDevices.indices
        where airDevices[index].nextAdvertisement == nil && isAwaited(airDevices[index]) {
            airDevices[index].nextAdvertisement = now + Self.firstHeard * Int64(index + 1)
        }
    }

    private mutating func consume(_ hostEvent: VirtualController.HostEvent, of host: Int) {
        switch hostEvent {
        case .sent(let handle, let unit):
            let link = AirLink(host: host, handle: handle)
            if actsOnTrace, unit.channel == 4 {
                unseen.append((link, unit))
                if unseen.count > Self.waitingMax { unseen.removeFirst() }
            } else if let index = owner(of: link) {
                airDevices[index].device.consume(unit, on: link)
            }
        case .disconnected(let handle): forget(AirLink(host: host, handle: handle))
        case .paged(let address): page(address, from: host)
        case .answeredPage(let address, let isAccepted):
            guard isAccepted,
                let index = airDevices.firstIndex(where: { $0.device.address == address }),
                let handle = controllers[host]?.classicConnection(to: address)
            else { return }
            open(AirLink(host: host, handle: handle), to: index)
        case .encrypts(let handle, let key):
            let link = AirLink(host: host, handle: handle)
            if let index = owner(of: link) { airDevices[index].device.encrypt(link, key: key) }
        }
    }

    /// Passes on waiting requests that the trace has shown, in order.
    private mutating func takeSeen() {
        while let next = unseen.first,
            let place = seen.firstIndex(of: next.unit.payload)
        {
            seen.remove(at: place)
            unseen.removeFirst()
            if let index = owner(of: next.link) {
                airDevices[index].device.consume(next.unit, on: next.link)
            }
        }
    }

    /// Passes on what was said in sessions, where an accessory has received it.
    private mutating func takeSaid() {
        said.removeAll { saying in
            airDevices.indices.contains { airDevices[$0].device.show(saying) }
        }
    }

    private mutating func page(_ address: DeviceAddress, from host: Int) {
        let index = airDevices.firstIndex {
            $0.device.address == address && $0.device.answersPage != nil
        }
        guard let index, let answer = airDevices[index].device.answersPage else {
            unanswered.append((host, address, now + Self.pageTimeout))
            return
        }
        switch answer {
        case .accepts:
            guard let handle = controllers[host]?.classicConnection(to: address) else { return }
            open(AirLink(host: host, handle: handle), to: index)
        case .ignores: unanswered.append((host, address, now + Self.pageTimeout))
        case .fails(let status):
            controllers[host]?.classicConnection(to: address, failed: status)
        }
    }

    private mutating func carryOut(_ command: AirCommand, of index: Int? = nil, isDue: Bool = false)
    {
        switch command {
        case .send(let link, let unit, let delay, let pieces):
            let earlier = delayed.last { $0.command.link == link }?.time ?? now
            if let delay, !isDue, max(now + delay, earlier) > now {
                delayed.append(Delayed(time: max(now + delay, earlier), command: command))
            } else if owners[link] != nil {
                controllers[link.host]?.deliver(unit, on: link.handle, inPiecesOf: pieces)
            }
        case .end(let link, let reason):
            guard owners[link] != nil || unestablished.contains(link) else { return }
            controllers[link.host]?.lose(link.handle, reason: reason)
            forget(link)
        case .encrypted(let link, let status):
            controllers[link.host]?.encrypted(link.handle, status: status)
        case .page:
            guard let index else { return }
            let address = airDevices[index].device.address
            for host in controllers.keys.sorted()
            where controllers[host]?.isPageScanning == true
                && controllers[host]?.handle(to: address) == nil
            {
                controllers[host]?.page(from: address)
            }
        }
    }

    /// Connects devices that look for a host to hosts that advertise.
    private mutating func connectToHosts() {
        for host in controllers.keys.sorted() {
            guard let advertising = controllers[host]?.advertising, advertising.isConnectable,
                let index = airDevices.firstIndex(where: {
                    !isLinked($0) && $0.device.connects(to: advertising)
                }),
                let handle = controllers[host]?.connected(by: airDevices[index].device.address)
            else { continue }
            open(AirLink(host: host, handle: handle), to: index)
            settle()
        }
    }
}

extension AirCommand {
    /// The link that the command concerns; `nil` if it concerns none.
    fileprivate var link: AirLink? {
        switch self {
        case .send(let link, _, _, _), .end(let link, _), .encrypted(let link, _): link
        case .page: nil
        }
    }
}
