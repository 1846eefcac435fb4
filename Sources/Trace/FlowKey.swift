import Protocols

/// The two ends of a connection, the same for both directions.
struct FlowKey: Hashable {
    /// The ends in a fixed order.
    let ends: (Endpoint, Endpoint)

    static func == (left: FlowKey, right: FlowKey) -> Bool {
        left.ends.0 == right.ends.0 && left.ends.1 == right.ends.1
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ends.0)
        hasher.combine(ends.1)
    }

    /// The key of a segment, and which end sent it.
    static func make(
        from source: Endpoint, to destination: Endpoint
    ) -> (key: FlowKey, direction: Direction) {
        if source.precedes(destination) {
            (FlowKey(ends: (source, destination)), .fromFirst)
        } else {
            (FlowKey(ends: (destination, source)), .fromSecond)
        }
    }

    /// The end that sends in a direction.
    func source(_ direction: Direction) -> Endpoint {
        direction == .fromFirst ? ends.0 : ends.1
    }

    /// The end that receives in a direction.
    func destination(_ direction: Direction) -> Endpoint {
        source(direction.opposite)
    }
}

/// One direction of a connection.
enum Direction: Int {
    case fromFirst
    case fromSecond

    var opposite: Direction { self == .fromFirst ? .fromSecond : .fromFirst }

    /// The side that sends in this direction, as decoders know it.
    var side: ConnectionSide { self == .fromFirst ? .first : .second }
}

extension Endpoint {
    /// Some order of endpoints; which one does not matter.
    fileprivate func precedes(_ other: Endpoint) -> Bool {
        port == other.port ? address < other.address : port < other.port
    }
}
