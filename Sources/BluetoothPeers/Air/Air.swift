/// The air between the controllers of hosts and remote devices: who hears whom, which links stand.
///
/// It has no sockets and no clock of its own: `advance(to:)` tells it the time, in nanoseconds.
package struct Air: Sendable {
    private struct Inhabitant: Sendable {
        let name: String
        var device: any RemoteDevice
        /// When it advertises next; `nil` until somebody listens.
        var nextAdvertisement: Int64?
    }

    private struct Delayed: Sendable {
        let time: Int64
        let command: AirCommand
    }

    /// How long a device is paged that is not there (Core 5.4 Vol 4 Part E 6.6, the default).
    private static let pageTimeout: Int64 = 5_120_000_000
    /// How long after the host begins to listen the first device is heard.
    private static let firstHeard: Int64 = 1_000_000
    /// Data of hosts that wait to be seen in the trace; beyond it the oldest are dropped.
    private static let waitingMax = 4096

    private let settings: ControllerSettings
    private var controllers: [Int: VirtualController] = [:]
    private var inhabitants: [Inhabitant] = []
    private var owners: [AirLink: String] = [:]
    private var delayed: [Delayed] = []
    private var unanswered: [(host: Int, address: DeviceAddress, until: Int64)] = []
    private var now: Int64 = 0
    /// Whether new hosts find their controller mute.
    private var isMute: Bool
    /// Whether remote devices take requests of hosts only once `show` has shown them.
    private let actsOnTrace: Bool
    private var unseen: [(link: AirLink, unit: L2CAPUnit)] = []
    private var seen: [[UInt8]] = []
    private var said: [AppSessionEvent] = []

    /// Makes the air of hosts with controllers of one kind.
    ///
    /// - Parameters:
    ///   - settings: What the controllers are like.
    ///   - isMute: Whether they say nothing before `mute(false)`.
    ///   - actsOnTrace: Whether remote devices take requests of hosts only once `show` has shown
    ///     them.
    package init(_ settings: ControllerSettings, isMute: Bool = false, actsOnTrace: Bool = false) {
        self.settings = settings
        self.isMute = isMute
        self.actsOnTrace = actsOnTrace
    }

    // MARK: Who is there

    /// Puts a device on the air.
    package mutating func add(_ device: any RemoteDevice, named name: String) {
        inhabitants.append(Inhabitant(name: name, device: device))
    }

    /// A host has connected to a controller.
    package mutating func connect(host: Int) {
        controllers[host] = VirtualController(settings, isMute: isMute)
    }

    /// A host has gone, and its links with it.
    package mutating func disconnect(host: Int) {
        controllers[host] = nil
        for link in owners.keys where link.host == host { forget(link) }
    }

    /// Takes bytes of a host.
    package mutating func receive(_ bytes: [UInt8], of host: Int) {
        controllers[host]?.receive(bytes)
        settle()
    }

    /// The trace shows a request of a host: whoever it is meant for takes it.
    package mutating func show(_ request: [UInt8]) {
        seen.append(request)
        if seen.count > Self.waitingMax { seen.removeFirst() }
        settle()
    }

    /// The trace shows what an app has said in a session: the accessory that it was said to takes it.
    package mutating func show(_ saying: AppSessionEvent) {
        said.append(saying)
        if said.count > Self.waitingMax { said.removeFirst() }
        settle()
    }

    /// Lets all controllers say nothing, or hear what was said meanwhile.
    package mutating func mute(_ isMute: Bool) {
        self.isMute = isMute
        for host in controllers.keys { controllers[host]?.mute(isMute) }
        settle()
    }

    /// Lets a device do something.
    package mutating func with<Device: RemoteDevice, Failure: Error>(
        _ name: String, as type: Device.Type, do body: (inout Device) throws(Failure) -> Void
    ) throws(Failure) {
        guard let index = inhabitants.firstIndex(where: { $0.name == name }),
            var device = inhabitants[index].device as? Device
        else { return }
        try body(&device)
        inhabitants[index].device = device
        settle()
    }

    /// The packets for the hosts since the last call, in their command.
    package mutating func takePackets() -> [(host: Int, bytes: [UInt8])] {
        controllers.keys.sorted().flatMap { host in
            (controllers[host]?.takeOutgoing() ?? []).map { (host, $0) }
        }
    }

    // MARK: Time

    /// When something happens by itself; `nil` if nothing does.
    package var nextDeadline: Int64? {
        let listened = inhabitants.compactMap { isAwaited($0) ? $0.nextAdvertisement : nil }
        let own = inhabitants.compactMap(\.device.nextDeadline)
        return (listened + own + delayed.map(\.time) + unanswered.map(\.until)).min()
    }

    /// Tells the time.
    package mutating func advance(to now: Int64) {
        self.now = now
        for command in takeDue() { carryOut(command, isDue: true) }
        for page in unanswered where page.until <= now {
            controllers[page.host]?.classicConnection(to: page.address, failed: 0x04)
        }
        unanswered.removeAll { $0.until <= now }
        for index in inhabitants.indices {
            inhabitants[index].device.advance(to: now)
            if let due = inhabitants[index].nextAdvertisement, due <= now { advertise(index) }
        }
        settle()
    }

    private mutating func takeDue() -> [AirCommand] {
        let due = delayed.filter { $0.time <= now }.sorted { $0.time < $1.time }
        delayed.removeAll { $0.time <= now }
        return due.map(\.command)
    }

    // MARK: Advertising

    /// Whether some host listens to what a device advertises.
    private func isAwaited(_ inhabitant: Inhabitant) -> Bool {
        guard inhabitant.device.advertising != nil, !isLinked(inhabitant) else { return false }
        return controllers.values.contains {
            $0.scan != nil || $0.wantsConnection(to: inhabitant.device.address)
        }
    }

    private func isLinked(_ inhabitant: Inhabitant) -> Bool {
        owners.values.contains(inhabitant.name)
    }

    /// An advertising event: hosts that scan hear it, one that wants to connect does.
    private mutating func advertise(_ index: Int) {
        let inhabitant = inhabitants[index]
        guard isAwaited(inhabitant), let advertising = inhabitant.device.advertising else {
            inhabitants[index].nextAdvertisement = nil
            return
        }
        inhabitants[index].nextAdvertisement = now + max(1_000_000, advertising.interval)
        let address = inhabitant.device.address
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
        switch inhabitant.device.answersConnection {
        case .accepts:
            guard let handle = controllers[host]?.connected(to: address) else { return }
            open(AirLink(host: host, handle: handle), to: index)
        case .ignores: break
        case .fails(let status): controllers[host]?.connection(to: address, failed: status)
        }
    }

    // MARK: Links

    private mutating func open(_ link: AirLink, to index: Int) {
        owners[link] = inhabitants[index].name
        let host = controllers[link.host]?.localAddress(on: link.handle)
        guard let host else { return }
        inhabitants[index].device.opened(link, to: host)
    }

    private mutating func forget(_ link: AirLink) {
        guard let name = owners.removeValue(forKey: link) else { return }
        unseen.removeAll { $0.link == link }
        delayed.removeAll { $0.command.link == link }
        if let index = inhabitants.firstIndex(where: { $0.name == name }) {
            inhabitants[index].device.closed(link)
        }
    }

    private func owner(of link: AirLink) -> Int? {
        owners[link].flatMap { name in inhabitants.firstIndex { $0.name == name } }
    }

    /// Does what hosts and devices have come to want, until nothing is left.
    private mutating func settle() {
        var isAtRest = false
        while !isAtRest {
            isAtRest = true
            for host in controllers.keys.sorted() {
                for happening in controllers[host]?.takeHappenings() ?? [] {
                    take(happening, of: host)
                    isAtRest = false
                }
            }
            takeSeen()
            takeSaid()
            for index in inhabitants.indices {
                for command in inhabitants[index].device.takeCommands() {
                    carryOut(command, of: index)
                    isAtRest = false
                }
            }
        }
        connectToHosts()
        for index in inhabitants.indices
        where inhabitants[index].nextAdvertisement == nil && isAwaited(inhabitants[index]) {
            inhabitants[index].nextAdvertisement = now + Self.firstHeard * Int64(index + 1)
        }
    }

    private mutating func take(_ happening: VirtualController.Happening, of host: Int) {
        switch happening {
        case .sent(let handle, let unit):
            let link = AirLink(host: host, handle: handle)
            if actsOnTrace, unit.channel == 4 {
                unseen.append((link, unit))
                if unseen.count > Self.waitingMax { unseen.removeFirst() }
            } else if let index = owner(of: link) {
                inhabitants[index].device.take(unit, on: link)
            }
        case .disconnected(let handle): forget(AirLink(host: host, handle: handle))
        case .paged(let address): page(address, from: host)
        case .answeredPage(let address, let isAccepted):
            guard isAccepted,
                let index = inhabitants.firstIndex(where: { $0.device.address == address }),
                let handle = controllers[host]?.classicConnection(to: address)
            else { return }
            open(AirLink(host: host, handle: handle), to: index)
        case .encrypts(let handle, let key):
            let link = AirLink(host: host, handle: handle)
            if let index = owner(of: link) { inhabitants[index].device.encrypt(link, key: key) }
        }
    }

    /// Hands on what was waiting to be seen, in its command.
    private mutating func takeSeen() {
        while let next = unseen.first,
            let place = seen.firstIndex(of: next.unit.payload)
        {
            seen.remove(at: place)
            unseen.removeFirst()
            if let index = owner(of: next.link) {
                inhabitants[index].device.take(next.unit, on: next.link)
            }
        }
    }

    /// Hands on what was said in sessions and has come to an accessory.
    private mutating func takeSaid() {
        said.removeAll { saying in
            inhabitants.indices.contains { inhabitants[$0].device.show(saying) }
        }
    }

    private mutating func page(_ address: DeviceAddress, from host: Int) {
        let index = inhabitants.firstIndex {
            $0.device.address == address && $0.device.answersPage != nil
        }
        guard let index, let answer = inhabitants[index].device.answersPage else {
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
            guard owners[link] != nil else { return }
            controllers[link.host]?.lose(link.handle, reason: reason)
            forget(link)
        case .encrypted(let link, let status):
            controllers[link.host]?.encrypted(link.handle, status: status)
        case .page:
            guard let index else { return }
            let address = inhabitants[index].device.address
            for host in controllers.keys.sorted()
            where controllers[host]?.isPageScanning == true
                && controllers[host]?.handle(to: address) == nil
            {
                controllers[host]?.page(from: address)
            }
        }
    }

    /// Lets devices that look for a host connect to those that advertise.
    private mutating func connectToHosts() {
        for host in controllers.keys.sorted() {
            guard let advertising = controllers[host]?.advertising, advertising.isConnectable,
                let index = inhabitants.firstIndex(where: {
                    !isLinked($0) && $0.device.connects(to: advertising)
                }),
                let handle = controllers[host]?.connected(by: inhabitants[index].device.address)
            else { continue }
            open(AirLink(host: host, handle: handle), to: index)
            settle()
        }
    }
}

extension AirCommand {
    /// The link that it is about; `nil` if about none.
    fileprivate var link: AirLink? {
        switch self {
        case .send(let link, _, _, _), .end(let link, _), .encrypted(let link, _): link
        case .page: nil
        }
    }
}
