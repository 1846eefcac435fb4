import SDL
import Wire

/// What is wrong with the values of an RPC, as far as mutants tell it apart.
struct ValueFaults {
    private let texts: [String]

    init(_ rpc: SDL.RPC) { texts = rpc.parameterViolations.map(\.text) }

    /// Whether nothing is wrong.
    var isEmpty: Bool { texts.isEmpty }
    /// Whether a value has another type, or is null.
    var areOfType: Bool { texts.contains { $0.contains(", expected") } }
    /// Whether a value is null.
    var areNull: Bool { texts.contains { $0.contains(" is null") } }
    /// Whether a text is too long or too short.
    var areOfTextLength: Bool { texts.contains { $0.contains(" characters") } }
    /// Whether a list is too long or too short.
    var areOfListLength: Bool { texts.contains { $0.contains(" element(s)") } }
    /// Whether a number is out of range.
    var areNumbers: Bool {
        texts.contains {
            $0.contains(", allowed") && !$0.contains(" characters") && !$0.contains(" element(s)")
        }
    }
    /// Whether a word is not in its enumeration.
    var areWords: Bool { texts.contains { $0.contains("which is not a") } }
    /// Whether a mandatory parameter is absent.
    var areAbsences: Bool { texts.contains { $0.hasPrefix("the mandatory") } }
}
