/// A pair of values, one for each side of a connection.
@frozen
public struct BothSides<Element> {
    @usableFromInline var first: Element
    @usableFromInline var second: Element

    /// Creates the values of both sides.
    @inlinable
    public init(_ make: () -> Element) {
        first = make()
        second = make()
    }

    /// The value of a side, changed in place.
    @inlinable
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
