/// A value for each side of a connection.
public struct BothSides<Element> {
    private var first: Element
    private var second: Element

    /// Makes the values of both sides.
    public init(_ make: () -> Element) {
        first = make()
        second = make()
    }

    /// The value of a side, changed in place.
    public subscript(side: ConnectionSide) -> Element {
        _read {
            switch side {
            case .first: yield first
            case .second: yield second
            }
        }
        _modify {
            switch side {
            case .first: yield &first
            case .second: yield &second
            }
        }
    }
}

extension BothSides: Sendable where Element: Sendable {}
