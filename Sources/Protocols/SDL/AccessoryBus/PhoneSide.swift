import ExternalAccessory
import Wire

/// The phone's side of the accessory bus as a state machine.
///
/// It takes what happens on connections and returns the actions for them; it has no clock and does
/// no I/O. It holds one control connection, which announces accessories, and one connection for
/// each session (Documentation/accessory-bus.md). `BusClient` runs it on sockets.
public struct PhoneSide: Sendable {
    /// A connection to the accessory side's port.
    public enum Connection: Sendable, Hashable {
        /// The one that announces accessories.
        case control
        /// The one of a session.
        case session(SessionNumber)
    }

    /// An action that the caller must perform on a connection.
    public enum Action: Sendable, Hashable {
        /// Open it.
        case connect(Connection)
        /// Send these bytes.
        case send([UInt8], Connection)
        /// Close it after the bytes sent before are out; later events of it are ignored.
        case close(Connection)
        /// Report an event to the user of the bus.
        case report(BusEvent)
    }

    /// The accessories that are connected, oldest first.
    public private(set) var accessories: [ExternalAccessory.Accessory] = []
    private var control: ControlState?
    private var sessions: [SessionNumber: SessionState] = [:]
    private var lastNumber = 0
    private var actions: [Action] = []

    /// The control connection: its unfinished line, and whether the initial list is complete.
    private struct ControlState {
        var lines = LineBuffer()
        var isReady = false
    }

    /// A session's connection: the request, and the unfinished answer, `nil` once it is open.
    private struct SessionState {
        let requested: ExternalAccessory.Session
        var answer: LineBuffer? = LineBuffer()
    }

    /// Creates a phone without connections.
    public init() {}

    // MARK: Requests of the phone

    /// Opens the control connection if there is none.
    public mutating func start() -> [Action] {
        guard control == nil else { return [] }
        control = ControlState()
        return [.connect(.control)]
    }

    /// Requests a session; events about it carry the number that is returned.
    ///
    /// - Parameters:
    ///   - accessory: The id of an accessory; the accessory side checks it.
    ///   - protocolString: The protocol string, without blanks and line ends.
    public mutating func openSession(
        with accessory: UInt32, protocolString: String
    ) -> (session: SessionNumber, actions: [Action]) {
        lastNumber += 1
        let number = SessionNumber(lastNumber)
        let requested = ExternalAccessory.Session(
            accessoryID: accessory, protocolString: protocolString)
        sessions[number] = SessionState(requested: requested)
        return (number, [.connect(.session(number))])
    }

    /// Sends bytes in an open session; does nothing if the session is not open.
    public func send(_ bytes: [UInt8], in session: SessionNumber) -> [Action] {
        guard isOpen(session), !bytes.isEmpty else { return [] }
        return [.send(bytes, .session(session))]
    }

    /// Ends a session, or abandons one that has not opened; no more events are reported for it.
    public mutating func close(_ session: SessionNumber) -> [Action] {
        guard sessions.removeValue(forKey: session) != nil else { return [] }
        return [.close(.session(session))]
    }

    /// Whether the accessory has opened a session and neither side has ended it.
    public func isOpen(_ session: SessionNumber) -> Bool {
        sessions[session].map { $0.answer == nil } ?? false
    }

    // MARK: Events of connections

    /// Handles an established connection: sends its first line.
    public func connected(_ connection: Connection) -> [Action] {
        switch connection {
        case .control:
            return control == nil ? [] : [.send(ExternalAccessory.BusLine.control, .control)]
        case .session(let number):
            guard let requested = sessions[number]?.requested else { return [] }
            let line = ExternalAccessory.BusLine.session(
                accessory: requested.accessoryID ?? 0,
                protocolString: requested.protocolString ?? "")
            return [.send(line, connection)]
        }
    }

    /// Handles bytes from a connection; those from a closed connection are ignored.
    public mutating func received(_ bytes: [UInt8], on connection: Connection) -> [Action] {
        actions = []
        switch connection {
        case .control: takeControl(bytes)
        case .session(let number): consume(bytes, of: number)
        }
        return actions
    }

    /// Handles a connection that has ended, could not be made or broke, with the reason.
    public mutating func ended(_ connection: Connection, _ reason: String) -> [Action] {
        actions = []
        switch connection {
        case .control: lose(reason)
        case .session(let number):
            if sessions.removeValue(forKey: number) != nil { report(.ended(number, reason)) }
        }
        return actions
    }

    private mutating func report(_ event: BusEvent) { actions.append(.report(event)) }

    private mutating func lose(_ reason: String) {
        guard control != nil else { return }
        control = nil
        accessories = []
        report(.lost(reason))
    }
}

// MARK: - Lines

extension PhoneSide {
    private mutating func takeControl(_ bytes: [UInt8]) {
        control?.lines.append(bytes)
        while let line = control?.lines.next() {
            do throws(DecodeError) {
                try consume(ExternalAccessory.BusLine.announcement(line))
            } catch {
                report(.malformed(error.description))
            }
        }
        guard control?.lines.isTooLong == true else { return }
        actions.append(.close(.control))
        lose(LineBuffer.tooLong)
    }

    private mutating func consume(_ announcement: ExternalAccessory.Message.Content) {
        switch announcement {
        case .accessory(let accessory): add(accessory)
        case .ready:
            guard control?.isReady == false else { return }
            control?.isReady = true
            report(.ready)
        case .connected(let accessory):
            add(accessory)
            report(.connected(accessory))
        case .disconnected(let id):
            guard let index = accessories.firstIndex(where: { $0.id == id }) else { return }
            report(.disconnected(accessories.remove(at: index)))
        default: break
        }
    }

    /// Adds an accessory; one that is announced again replaces its earlier entry.
    private mutating func add(_ accessory: ExternalAccessory.Accessory) {
        if let index = accessories.firstIndex(where: { $0.id == accessory.id }) {
            accessories[index] = accessory
        } else {
            accessories.append(accessory)
        }
    }

    private mutating func consume(_ bytes: [UInt8], of number: SessionNumber) {
        guard var session = sessions[number] else { return }
        guard var answer = session.answer else {
            return report(.received(number, bytes))
        }
        answer.append(bytes)
        guard let line = answer.next() else {
            if answer.isTooLong { return end(number, LineBuffer.tooLong) }
            session.answer = answer
            sessions[number] = session
            return
        }
        do throws(DecodeError) {
            switch try ExternalAccessory.BusLine.answer(line, to: session.requested) {
            case .opened(let opened):
                session.answer = nil
                sessions[number] = session
                report(.opened(number, id: opened.id ?? 0))
                if !answer.rest.isEmpty { report(.received(number, answer.rest)) }
            case .refused(_, let reason):
                sessions[number] = nil
                actions.append(.close(.session(number)))
                report(.refused(number, reason))
            default: break
            }
        } catch {
            end(number, error.description)
        }
    }

    private mutating func end(_ number: SessionNumber, _ reason: String) {
        sessions[number] = nil
        actions.append(.close(.session(number)))
        report(.ended(number, reason))
    }
}
