import Wire

extension ATTPacket {
    /// What is wrong with the value that a server sends, if anything.
    var valueAnomaly: Anomaly? {
        switch self {
        case .readResponse(let value), .handleValueNotification(_, let value),
            .handleValueIndication(_, let value):
            guard value.count > GATTConversation.valueMax else { return nil }
            return ATTDiscipline.violation(
                "a value of \(value.count) bytes, at most \(GATTConversation.valueMax)", "3.2.9")
        default: return nil
        }
    }

    /// Returns what is wrong with an answer to a request, if anything.
    func anomaly(answering request: ATTPacket) -> Anomaly? {
        switch (request, self) {
        case (
            .prepareWriteRequest(let handle, let offset, let value),
            .prepareWriteResponse(let prepared, let place, let part)
        ):
            return (handle, offset) == (prepared, place) && value == part
                ? nil : ATTDiscipline.violation("another write than was requested", "3.4.6.2")
        case (.findInformationRequest(let range), .findInformationResponse(let items)):
            return Self.anomaly(of: items.map(\.handle), in: range, "3.4.3.2")
        case (.findByTypeValueRequest(let range, _, _), .findByTypeValueResponse(let found)):
            return Self.anomaly(of: found.map(\.start), in: range, "3.4.3.4")
        case (.readByTypeRequest(let range, _), .readByTypeResponse(let items)):
            return Self.anomaly(of: items.map(\.handle), in: range, "3.4.4.2")
        case (.readByGroupTypeRequest(let range, _), .readByGroupTypeResponse(let groups)):
            return Self.anomaly(of: groups.map(\.handles.start), in: range, "3.4.4.10")
        default: return nil
        }
    }

    /// Returns what is wrong with the handles that a server lists, which ascend and are in the
    /// requested range.
    private static func anomaly(
        of handles: [UInt16], in range: Handles, _ section: String
    ) -> Anomaly? {
        // What a server answers to an impossible range is not defined, apart from the error.
        guard range.start > 0, range.start <= range.end else { return nil }
        if let beyond = handles.first(where: { !(range.start...range.end).contains($0) }) {
            return ATTDiscipline.violation(
                "the handle \(beyond), requested were \(range.start) to \(range.end)", section)
        }
        guard
            let place = handles.indices.dropFirst().first(where: { handles[$0] <= handles[$0 - 1] })
        else { return nil }
        return ATTDiscipline.violation(
            "the handle \(handles[place]) after \(handles[place - 1])", section)
    }
}
