import SDL
import Wire

/// The life cycle of an SDL app as a state machine.
///
/// It takes inputs and returns actions; it has no clock and does no I/O. It registers as SDL-0054
/// describes the proxied lifecycle manager, over SDL protocol 5.4.0 or the version that the head
/// unit agrees to.
public struct SDLAppLifecycle: Sendable {
    /// The role of this kind of device in suites.
    public static let role = "sdl.app"

    /// Pause after a refused connection, in milliseconds.
    ///
    /// It is short, so that the app connects soon after a head unit that starts late is ready.
    static let connectPause = 50
    /// How long a refused connection is retried, in milliseconds.
    static let connectPatience = 10_000
    /// Timeout for each answer during shutdown, in milliseconds.
    static let stopPatience = 1000

    /// The state of the life cycle.
    enum State: Sendable, Hashable {
        case idle, connecting, startingService
        /// Waiting for the archive, whose hash the registration carries.
        case readingArchive
        case registering, registered
        /// Waiting for the response of UnregisterAppInterface.
        case unregistering(Stop)
        /// Waiting for the EndServiceACK.
        case endingService(Stop)
        /// Waiting before a lost connection is made again.
        case pausing
        /// The head unit has refused the registration; the app remains without a session.
        case refused
        case exited
    }

    /// How the app stops.
    struct Stop: Sendable, Hashable {
        /// The exit code; `nil` if the app only ends its session.
        let code: Int32?
        /// Whether `stopPatience` applies to the whole shutdown instead of each answer.
        let isHurried: Bool
    }

    /// The registration data of the app; the negotiation changes it.
    public internal(set) var configuration: LifecycleConfiguration
    var rules: RegistrationRules
    var resumption: ResumptionManager
    var screen: ScreenManager
    /// The address of the head unit, which identifies a head unit that does not say who it is.
    let headUnitAddress: String
    var state = State.idle
    var session: Session?
    /// How many registrations have succeeded.
    var registrations = 0
    var isInBackground = false
    /// Behaviour beyond what the requirements demand.
    public var habits: Set<SDLAppHabit> = []
    private var reconnects = 0
    /// Whether a message could not be decoded.
    var hasSeenMalformed = false
    /// Whether a connection was refused since connecting began.
    private var isRetrying = false
    /// Encodes frames for the session; without a session, as for StartService.
    private var encoder = SDL.Encoder(version: 1)
    private var actions: [LifecycleAction] = []

    /// Creates an app that has not started.
    ///
    /// - Parameter headUnitAddress: The address of the head unit.
    public init(
        configuration: LifecycleConfiguration, mutant: SDLAppMutant? = nil,
        headUnitAddress: String = ""
    ) {
        self.configuration = configuration
        self.headUnitAddress = headUnitAddress
        rules = RegistrationRules(mutant: mutant, configuration: configuration)
        let resumptionRules = ResumptionRules(mutant: mutant)
        resumption = ResumptionManager(rules: resumptionRules)
        screen = ScreenManager(rules: resumptionRules)
    }

    /// Handles an input and returns the actions it leads to, in order.
    public mutating func handle(_ input: LifecycleInput) -> [LifecycleAction] {
        actions = []
        if state != .exited { consume(input) }
        return actions
    }

    private mutating func consume(_ input: LifecycleInput) {
        switch input {
        case .started: start()
        case .reachable: act(.stopTimer(.connectDeadline))
        case .connected: startService()
        case .connectFailed(let reason): retryConnection(reason)
        case .received(let message): consume(message)
        case .disconnected(let reason): connectionEnded(reason)
        case .timerFired(let timer): fired(timer)
        case .archiveRead(let reading): consume(reading)
        case .controlLine(let line): consume(controlLine: line)
        case .terminate: stop(Stop(code: 0, isHurried: true))
        }
    }

    private mutating func fired(_ timer: LifecycleTimer) {
        switch (timer, state) {
        case (.connectAgain, .connecting):
            act(.connect)
        case (.connectDeadline, .connecting):
            log(.connectFailed, ["milliseconds": .integer(Int64(Self.connectPatience))])
            act(.close)
            exit(1)
        case (.reconnect, .pausing):
            reconnects += 1
            log(.reconnecting, ["attempt": .integer(Int64(reconnects))])
            connect()
        case (.response, .registering):
            changeBeforeResponse()
        case (.goesOn, .registered):
            request("Show", ["mainField1": "Still here"])
        case (.stop, .unregistering(let stop)) where !stop.isHurried:
            endService(stop)
        case (.stop, .unregistering(let stop)), (.stop, .endingService(let stop)):
            act(.close)
            end(stop)
        default:
            break
        }
    }

    // MARK: Output

    mutating func act(_ action: LifecycleAction) { actions.append(action) }

    mutating func log(_ event: LifecycleEvent, _ fields: Value = .object([])) {
        act(.log(LogLine(event, fields.objectValue ?? [])))
    }

    /// Sends a request and records its function; returns its correlation id.
    @discardableResult
    mutating func request(
        _ function: String, _ parameters: Value, bulk: [UInt8] = []
    ) -> Int32? {
        guard var session else { return nil }
        let own = session.takeCorrelationID()
        let id = rules.mutant == .negatesCorrelationIDs ? -own : own
        var parameters = parameters
        if rules.mutant == .checksumOfAnotherFile, let checksum = parameters["crc"]?.integerValue {
            parameters = parameters.merging(["crc": .integer(checksum ^ 1)])
        }
        guard
            let rpc = SDL.RPC(
                .request, function, correlationID: id, parameters: parameters, bulk: bulk)
        else { return nil }
        session.pending[id] = function
        self.session = session
        var frames = encoder.encode(rpc)
        if rules.mutant == .numbersAfter255From0 { frames.numberFramesFrom0() }
        act(.send(frames))
        return id
    }

    /// Sends a control frame.
    mutating func control(
        _ frame: SDL.ControlFrame, service: SDL.ServiceType = .rpc,
        parameters: Value = .object([])
    ) {
        act(.send(encoder.encode(frame, service: service, parameters: parameters)))
    }

    /// Encodes for this session from now on; as for StartService if it is `nil`.
    mutating func begin(_ session: Session?) {
        self.session = session
        guard let session else {
            encoder = SDL.Encoder(
                version: rules.mutant == .startsInVersion5 ? 5 : 1,
                sessionID: rules.mutant == .startsWithSession1 ? 1 : 0)
            return
        }
        let highest = configuration.protocolVersion.major
        let payload = session.maximumPayload.map {
            rules.mutant == .splitsAtTwiceMTU ? 2 * $0 : $0
        }
        encoder = SDL.Encoder(
            version: rules.mutant == .keepsOwnVersion ? highest : session.version,
            sessionID: rules.mutant == .keepsSession1 ? 1 : session.id,
            maximumPayload: rules.mutant == .ignoresMTU ? nil : payload)
    }
}

// MARK: - Connection

extension SDLAppLifecycle {
    private mutating func start() {
        guard state == .idle else { return }
        log(
            .started,
            [
                "role": .string(Self.role),
                "appID": .string(configuration.appID),
                "mutant": .text(rules.mutant?.name),
                "language": .string(configuration.language),
            ])
        connect()
    }

    private mutating func connect() {
        state = .connecting
        isRetrying = false
        begin(nil)
        log(.connecting)
        act(.startTimer(.connectDeadline, milliseconds: Self.connectPatience))
        act(.connect)
    }

    private mutating func retryConnection(_ reason: String) {
        guard state == .connecting else { return }
        if !isRetrying { log(.connectRefused, ["reason": .string(reason)]) }
        isRetrying = true
        act(.startTimer(.connectAgain, milliseconds: Self.connectPause))
    }

    private mutating func connectionEnded(_ reason: String) {
        switch state {
        case .startingService, .readingArchive, .registering, .registered:
            if state == .registered { storeData(at: .linkLoss) }
            log(.disconnected, ["reason": .string(reason)])
            pause()
        case .unregistering(let stop), .endingService(let stop):
            log(.disconnected, ["reason": .string(reason)])
            end(stop)
        case .idle, .connecting, .pausing, .refused, .exited:
            break
        }
    }

    /// Closes the connection in order to make it again later.
    ///
    /// - Parameter ending: The meaning of the end for the managers.
    mutating func leave(_ reason: String, _ ending: ResumptionManager.Ending = .linkLoss) {
        if state == .registered { storeData(at: ending) }
        act(.close)
        log(.disconnected, ["reason": .string(reason)])
        pause()
    }

    private mutating func pause() {
        session = nil
        act(.stopTimer(.response))
        if hasSeenMalformed, rules.mutant == .staysAwayAfterMalformed {
            state = .refused
        } else if let limit = configuration.maxReconnects, reconnects >= limit {
            log(.reconnectsExhausted, ["limit": .integer(Int64(limit))])
            exit(0)
        } else {
            state = .pausing
            act(.startTimer(.reconnect, milliseconds: configuration.pauseBeforeReconnect))
        }
    }

    /// Ends as `stop` requests, once the head unit has been informed.
    mutating func end(_ stop: Stop) {
        if let code = stop.code {
            exit(code)
        } else {
            state = .refused
            session = nil
        }
    }

    mutating func exit(_ code: Int32) {
        state = .exited
        session = nil
        log(.exited, ["code": .integer(Int64(code))])
        act(.exit(code))
    }
}

// MARK: - Shutdown

extension SDLAppLifecycle {
    /// Unregisters and ends the service as far as the state requires, and ends the app.
    mutating func stop(_ stop: Stop) {
        switch state {
        case .registered:
            storeData(at: .stop)
            beginStop(stop)
            if configuration.unregisters || stop.code != 0 || habits.contains(.unregistersAtStop) {
                request("UnregisterAppInterface", .object([]))
                state = .unregistering(stop)
                act(.startTimer(.stop, milliseconds: Self.stopPatience))
            } else {
                act(.startTimer(.stop, milliseconds: Self.stopPatience))
                endService(stop)
            }
        case .registering:
            beginStop(stop)
            act(.startTimer(.stop, milliseconds: Self.stopPatience))
            endService(stop)
        case .unregistering where stop.isHurried:
            state = .unregistering(stop)
            act(.startTimer(.stop, milliseconds: Self.stopPatience))
        case .endingService where stop.isHurried || stop.code != nil:
            state = .endingService(stop)
        case .unregistering, .endingService, .exited:
            break
        case .idle, .connecting, .startingService, .readingArchive, .pausing, .refused:
            log(.stopping)
            if state == .startingService, rules.mutant == .endsWithoutSession {
                control(.endService)
            }
            act(.close)
            end(stop)
        }
    }

    private mutating func beginStop(_ stop: Stop) {
        log(.stopping)
        act(.stopTimer(.response))
    }

    /// Ends the service with the hash that it was started with.
    mutating func endService(_ stop: Stop) {
        let hash =
            rules.mutant == .endsWithAnotherHash ? session?.hash.map { _ in 1 } : session?.hash
        let parameters: Value = hash.map { ["hashId": $0] } ?? .object([])
        control(.endService, parameters: parameters)
        if rules.mutant == .unregistersAfterEnd { request("UnregisterAppInterface", .object([])) }
        state = .endingService(stop)
        if !stop.isHurried {
            act(.startTimer(.stop, milliseconds: Self.stopPatience))
        }
    }
}
