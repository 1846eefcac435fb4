import Devices
import Files
import Glibc
import Peers
import Suites
import Trace
import Wire

// The programs of peers: real counterparts, and adapters.
extension Stage {
    /// Why peers did not answer what they were shown since this was asked last.
    func takeSilences() -> [DeviceEvent] {
        actors.indices.flatMap { index in
            let peer = actors[index].peer.name
            return actors[index].peer.takeReasonsForSilence().map {
                DeviceEvent.silence(of: peer, because: $0)
            }
        }
    }

    /// Whether some peer is a program.
    var runsPrograms: Bool { actors.contains(where: \.runsProgram) }

    /// Whether all programs are ready.
    var areProgramsReady: Bool { actors.allSatisfy { $0.counterpart?.isReady ?? true } }

    /// Launches the programs of peers.
    ///
    /// - Parameters:
    ///   - profile: The device's, for what keeps it from the files of others.
    ///   - scratch: An empty folder for the files of the case.
    ///   - log: The device's log; that of a program is beside it.
    func launchPrograms(
        like profile: DeviceProfile, scratch: String, log: HeldFile
    ) throws {
        for index in actors.indices where actors[index].runsProgram {
            let declaration = actors[index].declaration
            guard let place = actors[index].program ?? actors[index].posts.first?.endpoint else {
                continue
            }
            let isAdapter = declaration.kind.program == .adapter
            let readiness: DeviceProfile.Readiness =
                isAdapter
                ? .stdoutLine("\"ready\"")
                : declaration.settings["ready"]?.stringValue.map { .stdoutLine($0) }
                    ?? .portOpen(place.port)
            let counterpart = try Counterpart(
                declaration, like: profile,
                variables: ["host": place.address.description, "port": String(place.port)],
                readiness: readiness, home: "\(scratch)/home-peer-\(declaration.name)",
                log: CaseDevices.log(of: declaration.name, beside: log))
            actors[index].counterpart = counterpart
            guard isAdapter else { continue }
            actors[index].adapter = AdapterFeed(
                deadline: declaration.settings["deadline"]?.stringValue
                    .flatMap(Duration.init(suiteText:)) ?? AdapterFeed.usualDeadline)
            counterpart.write(AdapterFeed.greeting(declaration.name, at: place))
        }
    }

    /// What the programs wait for.
    var programDescriptors: [(fd: Int32, events: Int16)] {
        actors.compactMap(\.counterpart).flatMap(\.pollDescriptors).map {
            (fd: $0, events: Int16(POLLIN))
        }
    }

    /// Shows a message of the trace to every adapter.
    func feedAdapters(_ message: TraceMessage, from start: Timestamp) {
        guard actors.contains(where: { $0.adapter != nil }) else { return }
        let parties = parties
        for index in actors.indices {
            guard let counterpart = actors[index].counterpart else { continue }
            let connection = actors[index].connection(of: message)
            if let line = actors[index].adapter?.line(
                for: message, from: parties.sender(of: message),
                to: parties.receiver(of: message), on: connection, since: start)
            {
                counterpart.write(line)
            }
        }
    }

    /// Does what the programs ask for and what is due of them.
    func servePrograms() throws {
        for index in actors.indices {
            guard let counterpart = actors[index].counterpart else { continue }
            counterpart.advance()
            let lines = counterpart.takeLines()
            guard actors[index].adapter != nil else { continue }
            for line in lines { try obey(line, of: index) }
            if let number = actors[index].adapter?.overdue {
                counterpart.fail("did not answer message \(number) in time")
            }
        }
    }

    private func obey(_ line: String, of index: Int) throws {
        try tellTime(index)
        var commands: [PeerCommand] = []
        do throws(PeerError) {
            guard let order = try actors[index].adapter?.order(in: line) else { return }
            commands = try actors[index].peer.take(order: order)
        } catch {
            let text = line.count > Self.shownMax ? line.prefix(Self.shownMax) + "..." : line[...]
            actors[index].counterpart?.fail("wrote \"\(text)\": \(error.detail)")
        }
        try perform(commands, of: index)
    }

    /// Characters of a wrong line that are shown.
    private static let shownMax = 200

    /// Begins to end the programs; what is left of them ends with the stage.
    func stopPrograms() {
        for actor in actors { actor.counterpart?.stop() }
    }
}

/// What an adapter is shown, and which messages it has not dealt with.
struct AdapterFeed {
    private let deadline: Duration
    private var pending: [(number: Int, due: ContinuousClock.Instant)] = []

    /// How long a program may take for a message unless its peer says otherwise.
    static let usualDeadline = Duration.seconds(5)
    /// Bytes of a message that are shown.
    private static let dataMax = 64 << 10
    /// Characters of the fields of a message that are shown.
    private static let fieldsMax = 256 << 10

    init(deadline: Duration) { self.deadline = deadline }

    /// The first line.
    static func greeting(_ name: String, at place: Endpoint) -> String {
        Value.object([
            Value.Member("conform", 1), Value.Member("peer", .string(name)),
            Value.Member("host", .string(place.address.description)),
            Value.Member("port", .integer(Int64(place.port))),
        ]).jsonText()
    }

    /// The line of a message.
    mutating func line(
        for message: TraceMessage, from sender: String?, to receiver: String?,
        on connection: PeerConnection?, since start: Timestamp
    ) -> String {
        pending.append((message.number, .now + deadline))
        var members = [
            Value.Member("number", .integer(Int64(message.number))),
            Value.Member("seconds", .double((message.time - start) / .seconds(1))),
            Value.Member("name", .string(message.name)),
        ]
        if let sender { members.append(Value.Member("from", .string(sender))) }
        if let receiver { members.append(Value.Member("to", .string(receiver))) }
        if let connection {
            members.append(Value.Member("connection", .string(connection.description)))
        }
        let data = message.content.bytes.prefix(Self.dataMax)
        members.append(Value.Member("data", .string(Array(data).hexText)))
        let fields = message.content.fields
        if fields.jsonText().utf8.count <= Self.fieldsMax {
            members.append(Value.Member("fields", fields))
        }
        return Value.object(members).jsonText()
    }

    /// The order in a line; `nil` for one that orders nothing.
    ///
    /// - Throws: `PeerError` with code `badArgument` for what is no line of an adapter.
    mutating func order(in line: String) throws(PeerError) -> Value? {
        guard let value = try? Value(json: line), let members = value.objectValue else {
            throw PeerError(.badArgument, "an adapter writes one JSON object a line")
        }
        switch members.first?.name {
        case "ready", "log": return nil
        case "done":
            guard let number = value["done"]?.integerValue else {
                throw PeerError(.badArgument, "\"done\" is the number of a message")
            }
            pending.removeAll { Int64($0.number) <= number }
            return nil
        default: return value
        }
    }

    /// The first message that should have been dealt with by now; `nil` if there is none.
    var overdue: Int? {
        guard let first = pending.first, first.due < .now else { return nil }
        return first.number
    }
}
