import Protocols

/// Wants the messages of certain names, so that the others need not be decoded.
///
/// What would turn out to be malformed is decoded as well if malformed messages are wanted: only
/// the body tells.
public struct NameScreen: MessageScreen {
    private let isWanted: [Bool]
    private let wantsMalformed: Bool

    /// Makes a screen by a condition on names.
    public init(_ isWanted: (String) -> Bool) {
        let names = ProtocolCatalogue.messageNames
        self.isWanted = names.map(isWanted)
        wantsMalformed = names.contains { $0.hasSuffix(".malformed") && isWanted($0) }
    }

    /// Whether the name, or what may become of it, is wanted.
    public func wants(_ head: MessageHead, _ unit: RawSpan, at place: MessagePlace) -> Bool {
        wantsMalformed || isWanted[Int(head.code.index)]
    }

    /// Whether the name is wanted.
    public func wants(event code: MessageCode, byteCount: Int, at place: MessagePlace) -> Bool {
        isWanted[Int(code.index)]
    }
}
