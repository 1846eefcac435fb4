/// The RPCs of the SmartDeviceLink RPC specification 8.0.0: parameters, structures, enumerations.
///
/// The tables in `Tables` are parsed once, on first access. Code that needs only the functions'
/// names uses `RPCFunctions`, code that needs few messages uses `RPCEntries`.
struct RPCSpecification: Sendable {
    /// The version of the specification in the tables, for citations.
    static let version = "SDL RPC 8.0.0"

    /// The shared instance, with the tables parsed.
    static let shared = RPCSpecification()

    /// The words of each enumeration, for look-up.
    static let enumerationSets = shared.enumerations.mapValues(Set.init)

    /// The type of a parameter or element.
    enum ParameterType: Sendable, Hashable {
        case boolean
        case integer(Bounds<Int64>)
        case float(Bounds<Double>)
        /// Text with limits of its number of characters.
        case string(Bounds<Int>)
        /// The name of an enumeration.
        case enumeration(String)
        /// The name of a structure.
        case structure(String)
    }

    /// The limits of a number, a length or a count; `nil` where there is none.
    struct Bounds<Number: Comparable & Hashable & Sendable>: Sendable, Hashable {
        let minimum: Number?
        let maximum: Number?

        func contains(_ number: Number) -> Bool {
            minimum.map { $0 <= number } ?? true && maximum.map { $0 >= number } ?? true
        }
    }

    /// Whether a parameter may be left out.
    enum Presence: Sendable, Hashable {
        case optional
        case mandatory
        /// Mandatory in a later version than the one that introduced the message or structure.
        case mandatoryLater
    }

    /// A parameter of a message or a member of a structure.
    struct Parameter: Sendable, Hashable {
        let name: String
        let presence: Presence
        let type: ParameterType
        /// The allowed number of elements if it is an array; `nil` if it is not.
        let count: Bounds<Int>?
    }

    /// A function in one direction, as a key.
    struct MessageKey: Hashable, Sendable {
        let functionID: UInt32
        let type: SDL.RPCType

        /// Creates a key; an erroneous response has the parameters of a response.
        init(_ functionID: UInt32, _ type: SDL.RPCType) {
            self.functionID = functionID
            self.type = type == .errorResponse ? .response : type
        }

        /// Both values in one number.
        var code: UInt32 { functionID << 2 | UInt32(type.rawValue) }
    }

    /// The words of each enumeration.
    let enumerations: [String: [String]]
    /// The members of each structure.
    let structures: [String: [Parameter]]
    /// The parameters of each message.
    let messages: [MessageKey: [Parameter]]
    /// The lines of the tables that could not be parsed; empty, as a test verifies.
    let problems: [String]

    private init() {
        let entries = RPCEntries.shared
        var reader = entries.reader
        enumerations = entries.reader.enumerations.mapValues(RPCTableReader.words)
        structures = entries.structures.mapValues { reader.parameters(of: $0) }
        messages = Dictionary(
            uniqueKeysWithValues: RPCFunctions.shared.messages.map { key in
                (key, reader.parameters(of: RPCFunctions.shared.bodies[key.code] ?? []))
            })
        for list in Array(structures.values) + Array(messages.values) {
            reader.checkReferences(of: list, to: entries.structures)
        }
        problems = reader.problems
    }

    /// Returns the parameters of a message; `nil` if the function has no message of that type.
    func parameters(of functionID: UInt32, _ type: SDL.RPCType) -> [Parameter]? {
        messages[MessageKey(functionID, type)]
    }
}
