import CSandbox
import Capture
import Devices
import Glibc
import Judge
import Offline
import PeerKit
import Results
import SuiteLanguage
import System
import Trace
import Wire

/// One case run live: peers and device act, the capture records, the trial judges.
///
/// A single-threaded loop over file descriptors; only `poll` blocks.
struct LiveCase {
    /// How far the matcher's clock lags the current time.
    ///
    /// A packet that was captured in time but not yet delivered must never be treated as missing.
    /// The kernel stamps a packet and puts it into the buffer without being preempted in between,
    /// and the time is read before the buffer is emptied; this value is far more than that takes.
    static let captureLag: Duration = .milliseconds(2)

    /// How often to check whether to give up bytes that messages wait for.
    private static let pollIntervalBytes: Duration = .milliseconds(20)

    let task: WorkerTask
    let places: CasePlaces
    /// The folder for the files of the case.
    var scratch: String { task.scratch }
    /// The log of the first device.
    var log: HeldFile { places.log }
    let suite: Suite
    let testCase: TestCase
    let profile: DeviceProfile
    let peerHost: PeerHost
    let capture: any PacketSource
    let partial: PartialCapture
    /// The keys of devices that write some; `nil` if the profile does not say so.
    let deviceKeys: DeviceKeys?
    /// What decrypts the connections of its peers.
    let secrets = DecryptionSecrets()
    /// The digest of the saved capture, once it is saved.
    var digest: [UInt8]?
    var packetJudge: PacketJudge
    let devices: CaseDevices
    var probe: LivenessProbe?
    private var stallWatch = MachineStallWatch()
    /// What steps have had measured.
    var measurements = DeviceMeasurements()
    /// Recognises packets of connections that are older than the case; only for an attached device.
    private var fresh: FreshConnections?
    /// Whether the case has begun; before that it waits for an attached device.
    var hasBegun = true
    /// The latest time that the matcher has been given.
    var matcherTime: Timestamp
    /// What persons have been asked to do, and what they have confirmed.
    var persons = PersonLog()
    var events: [CaseMetadata.Event] = []
    /// The longest delay of packets from a capture made elsewhere.
    var longestDelay = Duration.zero
    /// When late packets were last recorded.
    var delayNoted: Timestamp?
    var start: Timestamp
    /// Devices that have been launched and must listen for peers by the given time.
    var awaited: [String: ContinuousClock.Instant] = [:]
    /// Ends and starts of devices that have not been placed among the packets yet.
    var pendingEvents: [(event: DeviceEvent, time: Timestamp)] = []

    /// Prepares the peers and the capture for a task.
    init(
        task: WorkerTask, places: CasePlaces, suite: Suite, testCase: TestCase,
        profile: DeviceProfile, network: CaseNetwork, peers: PeerFactory
    ) throws {
        self.task = task
        self.places = places
        self.suite = suite
        self.testCase = testCase
        self.profile = profile
        let devices = CaseDevices(profile: profile)
        self.devices = devices
        peerHost = try PeerHost(
            testCase: testCase, network: network, peers: peers, timeScale: task.timeScale,
            seed: task.seed ?? 0)
        try peerHost.saveCertificates(in: task.scratch)
        let source = try peerHost.capture(for: profile)
        deviceKeys =
            profile.hasKeyLog
            ? DeviceKeys(for: peerHost.isWithoutKeys(testCase.peers), devices.takeKeys) : nil
        capture = deviceKeys.map { KeyAwaitingSource(source, $0) } ?? source
        fresh = network.bench.map { _ in FreshConnections() }
        partial = try PartialCapture(
            for: places.capture, interfaces: capture.interfaces,
            isSecret: peerHost.security != nil || deviceKeys != nil)
        start = WallClock.now
        matcherTime = start
        packetJudge = Self.makeJudge(
            of: testCase, suite, parties: peerHost.parties, from: start, scale: task.timeScale,
            secrets: secrets)
    }

    /// Runs the case to its end and saves the capture.
    mutating func run() throws -> CaseResult {
        try awaitStart()
        // Nothing is in the trace before the case begins: an event would ask for its first steps.
        _ = stallWatch.sample(at: [])
        try startPrograms()
        try startCompanions()
        try launchDevices()
        let clockOffset = WallClock.offset
        let (end, cause) = try loop()
        try recordStalls(isLast: true)
        try probeForLife()
        let clockStep = WallClock.offset - clockOffset
        let findingsOfPlace = try findingsOfPlace()
        capture.stop()
        let judged = devices.living
        let inconclusiveFindings =
            devices.companionFindings + capture.inconclusiveFindings + findingsOfPlace
        // Packets beyond the limit are lost.
        let dropped = capture.lostCount + (isFlooded ? 1 : 0)
        guard let outcome = packetJudge.finish(at: end, cause: cause, dropped: dropped).first else {
            throw WorkerError(detail: "the case was not judged")
        }
        try saveCapture(
            end: end, cause: cause, dropped: dropped, clockStep: clockStep,
            inconclusiveFindings: inconclusiveFindings,
            comments: outcome.judgement.comments)
        // The peers go first: a device that sends a closing message must not wait for an answer.
        peerHost.close()
        peerHost.stopPrograms()
        try devices.stop(judged: judged) { device, notice in
            guard case .confirmed(let control, let name) = notice else { return }
            persons.confirm(control, of: device, by: name, at: WallClock.now)
        }
        var result = CaseResult(
            suite: suite, outcome: outcome, packets: packetJudge.packetCount, dropped: dropped,
            ended: end)
        result.record(clockStep: clockStep)
        result.record(inconclusiveFindings: inconclusiveFindings)
        return result
    }

    // MARK: - The loop

    private mutating func loop() throws -> (end: Timestamp, cause: EndCause) {
        while true {
            let limit = persons.limit(start + testCase.timeout)
            let deadline = min(packetJudge.judge.nextDeadline ?? limit, limit)
            let oversleep = try wait(
                until: pendingEvents.first.map { min($0.time, deadline) } ?? deadline)
            let now = WallClock.now
            try recordStalls(oversleep: oversleep)
            try drainCapture()
            let known = capture.known(at: now)
            try consume(devices.advance())
            for device in try takeListening() {
                placeLater(.start(with: configuration(of: device)), of: device)
            }
            for (device, event) in measurements.advance() { placeLater(event, of: device) }
            try react(to: insertPending(before: known - Self.captureLag))
            try peerHost.advance()
            try peerHost.check()
            matcherTime = max(matcherTime, known - Self.captureLag)
            try react(to: packetJudge.release(at: known - Self.captureLag))
            try handle(packetJudge.advance(to: known - Self.captureLag))
            if packetJudge.judge.isFinished { return (known, .completed) }
            if known > persons.limit(start + testCase.timeout) { return (known, .timeout) }
            if isFlooded || capture.fault != nil { return (known, .captureEnded) }
        }
    }

    /// Whether more was sent than the capture of a case may hold.
    var isFlooded: Bool { partial.packetBytes > profile.limits.capture }

    /// Records in the trace which parties were delayed, before what has been captured since.
    mutating func recordStalls(
        oversleep: Duration = .zero, isLast: Bool = false
    ) throws {
        let stalls = stallWatch.sample(
            at: devices.processes, oversleep: oversleep, isLast: isLast)
        let time = max(matcherTime, packetJudge.lastPacket ?? matcherTime)
        for stall in stalls { try react(to: insert(stall, at: time)) }
    }

    /// Waits for something to do, at most until a deadline of the matcher has safely passed.
    ///
    /// - Returns: How much later than planned it continued, if nothing else woke it.
    @discardableResult
    mutating func wait(until deadline: Timestamp) throws -> Duration {
        var descriptors = capture.pollDescriptors.map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let firstOfStage = descriptors.count
        descriptors += peerHost.pollDescriptors.map {
            pollfd(fd: $0.fd, events: $0.events, revents: 0)
        }
        let firstOfDevice = descriptors.count
        descriptors += devices.pollDescriptors.map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        var pause = (deadline + Self.captureLag) - WallClock.now
        if let next = devices.nextDeadline { pause = min(pause, next) }
        if let next = peerHost.nextDue { pause = min(pause, next) }
        if let next = measurements.nextDeadline { pause = min(pause, next) }
        if packetJudge.isHolding { pause = min(pause, Self.pollIntervalBytes) }
        if !awaited.isEmpty { pause = min(pause, Self.pollIntervalListener) }
        // What is over by the clock is only over once the capture has shown that.
        if let due = capture.probe(isUrgent: pause <= .zero || packetJudge.isHolding) {
            pause = pause <= .zero ? due : min(pause, due)
        }
        pause = max(.zero, min(pause, .seconds(1)))
        let due = WallClock.now + pause
        guard conform_poll(&descriptors, descriptors.count, Int64(pause / .nanoseconds(1))) > 0
        else {
            return max(.zero, WallClock.now - due)
        }
        for (index, ready) in descriptors.enumerated()
        where ready.revents != 0 && index >= firstOfStage {
            if index < firstOfDevice {
                peerHost.handle(ready.fd, ready.revents)
            } else {
                try consume(devices.handle(ready.fd))
            }
        }
        return .zero
    }

    /// Passes on what was captured.
    ///
    /// - Parameter isKept: Whether it belongs to the case; otherwise it is discarded.
    mutating func drainCapture(keeping isKept: Bool = true) throws {
        var observations: [PacketJudge.Observation] = []
        let now = WallClock.now
        var delay = Duration.zero
        var isMore = false
        repeat {
            isMore = try capture.consume { packet in
                guard isKept, !isFlooded, fresh?.isOlder(packet) != true else { return }
                if !hasBegun {
                    observations += begin(at: Timestamp(nanoseconds: packet.timestamp))
                }
                observations += insertPending(
                    before: Timestamp(nanoseconds: packet.timestamp))
                recordKeys(before: packet.timestamp)
                delay = max(delay, now - Timestamp(nanoseconds: packet.timestamp))
                partial.write(packet)
                // Its number in the saved capture, which lacks what does not belong to the case.
                let kept = Packet(
                    packet, index: packetJudge.packetCount + 1, interface: packet.interface)
                observations += packetJudge.consume(kept)
            }
        } while isMore && !isFlooded
        partial.flush()
        let parties = peerHost.parties
        let senders = observations.map { parties.sender(of: $0.message) }
        for device in testCase.deviceNames where senders.contains(device) {
            try consume(devices.recordPacket(of: device))
        }
        for (observation, sender) in zip(observations, senders) where probe != nil {
            probe?.consume(message: observation.message.name, from: sender)
        }
        try react(to: observations)
        try record(delay: delay, at: now)
    }

    /// Lets the peers answer what the trace shows, then does what the steps require.
    mutating func react(to observations: [PacketJudge.Observation]) throws {
        for observation in observations {
            if !(observation.message.content is StreamBeginning) {
                peerHost.feedAdapters(observation.message, from: start)
                try peerHost.observe(
                    observation.message, withholdsAnswer: observation.consumption.withholdsAnswer)
            }
            for silence in peerHost.takeSilences() {
                let time = max(matcherTime, packetJudge.lastPacket ?? matcherTime)
                try react(to: insert(silence, at: time))
            }
            try handle(observation.consumption.demands)
        }
    }

    private mutating func handle(_ demands: [Demand]) throws {
        for demand in demands {
            switch demand {
            case .send(let send):
                let (isSent, sent) = try peerHost.send(send)
                if isSent { measurements.sent += 1 }
                if let sent { try react(to: insert(sent.event, at: WallClock.now)) }
            case .perform(let action) where isMeasurement(action): measure(action.party)
            case .perform(let action) where testCase.isDevice(action.party):
                // The loop handles a device that has ended, like every end of a device.
                guard let device = devices.device(action.party),
                    device.isAlive || DeviceAction.named(action.name) != nil
                else { continue }
                // What the device does as a result must not come before it in the trace.
                let time = WallClock.now
                try device.perform(action.name, arguments: action.arguments)
                let sentence = profile.controls[action.name]?.sentence
                if let sentence {
                    persons.query(action.name, sentence, of: action.party, at: time)
                }
                let event = DeviceEvent(
                    name: "device.\(action.name)", operator: sentence, arguments: action.arguments)
                if capture.isElsewhere {
                    // What was captured before it comes first.
                    pendingEvents.append((event.about(action.party, in: testCase), time))
                } else {
                    try react(to: insert(event, of: action.party, at: time))
                }
            case .perform(let action):
                try peerHost.perform(action)
            }
            for skip in peerHost.takeSkips() {
                try react(
                    to: insert(skip, at: max(matcherTime, packetJudge.lastPacket ?? matcherTime)))
            }
        }
    }

    // MARK: - The devices

    /// Launches the devices.
    ///
    /// The case's clock starts with them; if peers connect to them, it starts once they listen.
    private mutating func launchDevices() throws {
        for name in testCase.deviceNames {
            let isCalled = profile.attachment == nil && !peerHost.ports(of: name).isEmpty
            if isCalled {
                awaitListening(name)
            } else if profile.attachment == nil {
                try announceStart(of: name)
            }
            try devices.launch(
                name, variables: peerHost.variables(for: name),
                configuration: configuration(of: name),
                task: task, log: places.log)
        }
        if devices.attached != nil { return try awaitAttached() }
        if !awaited.isEmpty { try beginWhenListening() }
    }

    mutating func consume(_ reports: [CaseDevices.Report]) throws {
        for (device, notice) in reports {
            if case .controlAnswered(let id, _) = notice,
                probe?.consume(answer: id, from: device) == true
            {
                continue
            }
            switch notice {
            case .exited(let exit):
                probe?.consume(exit, of: device)
                let event = DeviceEvent(
                    name: DeviceEvent.exited,
                    fields: exit.fields.adding(lastWords(of: device) + remains(of: device)))
                placeLater(profile.exit == .expected ? event.expected : event, of: device)
            case .endedAsPlanned(let exit):
                probe?.consume(exit, of: device)
                let event = DeviceEvent(name: DeviceEvent.exited, fields: exit.fields)
                placeLater(
                    exit == .signal(profile.stop.signal) ? event.asStopped : event, of: device)
            case .launchedAgain
            where profile.attachment == nil && !peerHost.ports(of: device).isEmpty:
                awaitListening(device)
            case .launchedAgain:
                placeLater(.start(with: configuration(of: device)), of: device)
            case .notReady(let error): throw error
            case .controlAnswered(_, .failure(let error)): throw error
            case .confirmed(let control, let name):
                if persons.confirm(control, of: device, by: name, at: WallClock.now) {
                    placeLater(.confirmation(of: control, by: name), of: device)
                }
            case .output, .ready, .controlAnswered: break
            }
        }
    }

    mutating func placeLater(_ event: DeviceEvent, of device: String) {
        pendingEvents.append((event.about(device, in: testCase), WallClock.now))
    }

    /// Returns what a device printed last, as a field of the event that reports its end.
    func lastWords(of device: String) -> [Value.Member] {
        let lines = devices.device(device)?.lastLines ?? []
        return lines.isEmpty ? [] : [Value.Member("log", .array(lines.map(Value.string)))]
    }

    /// Returns, as a field of the event, whether a device has left processes that may still act.
    private func remains(of device: String) -> [Value.Member] {
        guard devices.device(device)?.hasRemains ?? false else { return [] }
        return [Value.Member(DeviceEvent.remains, .bool(true))]
    }

    /// Inserts ends and starts of devices before `time` into the trace.
    ///
    /// They come after what the devices sent before, once all of that is in the capture.
    private mutating func insertPending(before time: Timestamp) -> [PacketJudge.Observation] {
        var observations: [PacketJudge.Observation] = []
        while let next = pendingEvents.first, next.time < time {
            pendingEvents.removeFirst()
            observations += insert(next.event, at: next.time)
        }
        return observations
    }
}
