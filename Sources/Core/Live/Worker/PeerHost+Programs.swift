import Devices
import Glibc
import PeerKit
import SuiteLanguage
import System
import Trace
import Wire

// The programs of peers: real counterparts, and adapters.
extension PeerHost {
    /// Returns why peers did not answer messages since the last call.
    func takeSilences() -> [DeviceEvent] {
        hostedPeers.indices.flatMap { index in
            let peer = hostedPeers[index].peer.name
            return hostedPeers[index].peer.takeUnansweredReasons().map {
                DeviceEvent.silence(of: peer, because: $0)
            }
        }
    }

    /// Whether any peer is a program.
    var runsPrograms: Bool { hostedPeers.contains(where: \.runsProgram) }

    /// Whether all programs are ready.
    var areProgramsReady: Bool { hostedPeers.allSatisfy { $0.counterpart?.isReady ?? true } }

    /// Launches the programs of peers.
    ///
    /// - Parameters:
    ///   - profile: The device's profile, for what keeps it away from the files of others.
    ///   - scratch: An empty folder for the files of the case.
    ///   - log: The device's log; that of a program is next to it.
    func launchPrograms(
        like profile: DeviceProfile, scratch: String, log: HeldFile
    ) throws {
        for index in hostedPeers.indices where hostedPeers[index].runsProgram {
            let declaration = hostedPeers[index].declaration
            guard
                let place = hostedPeers[index].program
                    ?? hostedPeers[index].meetingPoints.first?.endpoint
            else {
                continue
            }
            let isAdapter = declaration.kind.program == .adapter
            let readiness: DeviceProfile.Readiness =
                isAdapter
                ? .stdoutLine("\"ready\"")
                : declaration.settings["ready"]?.stringValue.map { .stdoutLine($0) }
                    ?? .portOpen(place.port)
            let counterpart = try CounterpartProgram(
                declaration, like: profile,
                variables: ["host": place.address.description, "port": String(place.port)],
                readiness: readiness, home: "\(scratch)/home-peer-\(declaration.name)",
                log: CaseDevices.log(of: declaration.name, beside: log))
            hostedPeers[index].counterpart = counterpart
            guard isAdapter else { continue }
            hostedPeers[index].adapter = AdapterFeed(
                deadline: declaration.settings["deadline"]?.stringValue
                    .flatMap(Duration.init(suiteText:)) ?? AdapterFeed.usualDeadline)
            counterpart.write(AdapterFeed.greeting(declaration.name, at: place))
        }
    }

    /// The descriptors of the programs, with the events to poll for.
    var programDescriptors: [(fd: Int32, events: Int16)] {
        hostedPeers.compactMap(\.counterpart).flatMap(\.pollDescriptors).map {
            (fd: $0, events: Int16(POLLIN))
        }
    }

    /// Passes a message of the trace to every adapter.
    func feedAdapters(_ message: TraceMessage, from start: Timestamp) {
        guard hostedPeers.contains(where: { $0.adapter != nil }) else { return }
        let parties = parties
        for index in hostedPeers.indices {
            guard let counterpart = hostedPeers[index].counterpart else { continue }
            let connection = hostedPeers[index].connection(of: message)
            if let line = hostedPeers[index].adapter?.line(
                for: message, from: parties.sender(of: message),
                to: parties.receiver(of: message), on: connection, since: start)
            {
                counterpart.write(line)
            }
        }
    }

    /// Does what the programs ask for, and what they have due.
    func servePrograms() throws {
        for index in hostedPeers.indices {
            guard let counterpart = hostedPeers[index].counterpart else { continue }
            counterpart.advance()
            let lines = counterpart.takeLines()
            guard hostedPeers[index].adapter != nil else { continue }
            for line in lines { try obey(line, of: index) }
            if let number = hostedPeers[index].adapter?.overdue {
                counterpart.fail("did not answer message \(number) in time")
            }
        }
    }

    private func obey(_ line: String, of index: Int) throws {
        try advanceTime(index)
        var commands: [PeerCommand] = []
        do throws(PeerError) {
            guard let order = try hostedPeers[index].adapter?.order(in: line) else { return }
            commands = try hostedPeers[index].peer.consume(order: order)
        } catch {
            let text = line.count > Self.shownMax ? line.prefix(Self.shownMax) + "..." : line[...]
            hostedPeers[index].counterpart?.fail("wrote \"\(text)\": \(error.detail)")
        }
        try perform(commands, of: index)
    }

    /// How many characters of an invalid line are shown.
    private static let shownMax = 200

    /// Begins to end the programs; the rest of them ends with the stage.
    func stopPrograms() {
        for actor in hostedPeers { actor.counterpart?.stop() }
    }
}

/// The messages passed to an adapter, and those that it has not handled yet.
struct AdapterFeed {
    private let deadline: Duration
    private var pending: [(number: Int, due: ContinuousClock.Instant)] = []

    /// How long a program may take for a message unless its peer sets another time.
    static let usualDeadline = Duration.seconds(5)
    /// The most bytes of a message that are passed.
    private static let dataMax = 64 << 10
    /// The most characters of the fields of a message that are passed.
    private static let fieldsMax = 256 << 10

    init(deadline: Duration) { self.deadline = deadline }

    /// Returns the first line for an adapter.
    static func greeting(_ name: String, at place: Endpoint) -> String {
        Value.object([
            Value.Member("conform", 1), Value.Member("peer", .string(name)),
            Value.Member("host", .string(place.address.description)),
            Value.Member("port", .integer(Int64(place.port))),
        ]).jsonText()
    }

    /// Returns the line for a message.
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

    /// Returns the command in a line; `nil` if there is none.
    ///
    /// - Throws: `PeerError` with code `badArgument` if it is not a line of an adapter.
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

    /// The first message that should have been handled by now; `nil` if there is none.
    var overdue: Int? {
        guard let first = pending.first, first.due < .now else { return nil }
        return first.number
    }
}
