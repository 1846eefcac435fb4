import SuiteLanguage
import Trace
import Wire

extension MatcherThread {
    /// Returns the demand of an acting line, and further conditions on its evidence.
    func demand(
        of line: CaseProgram.Line
    ) throws(EvaluationError) -> (demand: Demand, conditions: [FieldCondition])? {
        switch line.step.verb {
        case .sendBytes(let bytes):
            var demand = Demand.Send(
                step: line.reference, message: SentBytes.name, from: line.step.from, to: nil,
                fields: [], answering: nil)
            demand.bytes = try bytes.evaluate(configuration.bindings)
            demand.segmentSize = line.step.segmentSize
            demand.connection = connectionMessage(of: line)
            return (.send(demand), [])
        case .perform(let action):
            let arguments = try action.arguments.evaluate(configuration.bindings)
            let demand = Demand.Action(
                step: line.reference, party: action.party, name: action.name, arguments: arguments)
            return (.perform(demand), [])
        case .send(let message, let overrides, _):
            var fields: [(FieldPath, Value?)] = []
            for override in overrides {
                fields.append((override.path, try value(of: override)))
            }
            let answered = line.answeredLine.flatMap(configuration.completion)?.message
            var demand = Demand.Send(
                step: line.reference, message: message, from: line.step.from, to: line.step.to,
                fields: fields, answering: answered)
            demand.corruption = line.step.corruption
            demand.segmentSize = line.step.segmentSize
            demand.connection = connectionMessage(of: line)
            if let named = testCase.known.own.first(where: { message.hasPrefix($0.name + ".") }) {
                return try self.demand(demand, of: named, at: line.step.position)
            }
            // A corrupted message need not show its fields.
            guard line.step.corruption == nil else { return (.send(demand), []) }
            return (.send(demand), fields.map { condition($0, at: line.step.position) })
        default: return nil
        }
    }

    /// Returns the demand for a message whose protocol the suite describes.
    private func demand(
        _ demand: Demand.Send, of named: NamedProtocol, at position: SourcePosition
    ) throws(EvaluationError) -> (demand: Demand, conditions: [FieldCondition]) {
        var demand = demand
        let peer = testCase.peers.first { $0.name == demand.from }
        let isDatagram = peer?.isDatagram == true
        let bytes = try named.encode(
            demand.message, demand.fields.map { (path: $0.0, value: $0.1) },
            isDatagram: isDatagram, ignoresInstances: true)
        demand.encoded = bytes
        guard demand.corruption == nil else { return (.send(demand), []) }
        // The fields as a reader of the trace sees them, including default values.
        let reading = named.read(bytes, isDatagram: isDatagram)
        guard case .message(let decoded, _) = reading, decoded.name == demand.message else {
            return wrongOnPurpose(demand, bytes, read: reading, of: named, at: position)
        }
        let fields = demand.fields.map { ($0.0, decoded.value[$0.0] ?? $0.1) }
        return (.send(demand), fields.map { condition($0, at: position) })
    }

    /// Returns the demand for a message whose fields make it another message or an invalid one.
    private func wrongOnPurpose(
        _ demand: Demand.Send, _ bytes: [UInt8], read reading: StreamDissection,
        of named: NamedProtocol, at position: SourcePosition
    ) -> (demand: Demand, conditions: [FieldCondition]) {
        var demand = demand
        let data = condition((.answeredData, .bytes(bytes)), at: position)
        switch reading {
        case .message(let decoded, _):
            demand.message = decoded.name ?? demand.message
            return (.send(demand), [])
        case .incomplete:
            // It does not end by itself, so no message will show it.
            demand.message = "\(named.name).malformed"
            demand.isUnseen = true
            return (.send(demand), [])
        case .refused, .malformed:
            demand.message = "\(named.name).malformed"
            return (.send(demand), named.hasOwnData ? [] : [data])
        }
    }

    /// Returns the message on whose connection a line's message goes; `nil` if it does not matter.
    private func connectionMessage(of line: CaseProgram.Line) -> TraceMessage? {
        line.connectionLine.flatMap(configuration.completion)?.message
    }

    private func value(of assignment: FieldAssignment) throws(EvaluationError) -> Value? {
        guard let expression = assignment.value else { return nil }
        return try expression.evaluate(configuration.bindings)
    }

    private func condition(
        _ field: (path: FieldPath, value: Value?), at position: SourcePosition
    ) -> FieldCondition {
        FieldCondition(
            path: field.path,
            matcher: field.value.map { .equals(.literal($0)) } ?? .present(false),
            position: position)
    }
}

extension Demand.Action {
    /// Device controls after which its process may end.
    private static let endingControls: Set<String> = ["stop", "kill", "restart", "terminate"]

    /// Whether it asks a device to end, if it is a device control.
    var endsDevice: Bool { Self.endingControls.contains(name) }
}

extension EndCause.Exit {
    /// Returns the end of the device as a message of the trace.
    func event(number: Int, at time: Timestamp) -> TraceMessage {
        let fields: Value =
            switch self {
            case .code(let code): ["code": .integer(Int64(code))]
            case .signal(let signal): ["signal": .integer(Int64(signal))]
            }
        return TraceMessage(
            number: number, time: time, frames: [],
            content: DeviceEvent(name: DeviceEvent.exited, fields: fields))
    }
}
