import Wire

/// Compares the parameters of an RPC with the specification's tables.
///
/// Members that are not in the tables are allowed, because later versions add some.
struct ParameterCheck {
    private let specification = RPCSpecification.shared
    private let source: String
    private(set) var anomalies: [Anomaly] = []

    /// Checks `rpc`; a function that is unknown or has no message of that type is an anomaly.
    init(_ rpc: SDL.RPC) {
        source = "\(RPCSpecification.version) \(rpc.functionName)"
        guard RPCFunctions.shared.names[rpc.functionID] != nil else {
            add("the function \(rpc.functionID) is not known")
            return
        }
        guard let parameters = specification.parameters(of: rpc.functionID, rpc.type) else {
            let isDescribed = SDL.RPCType.allCases.contains {
                specification.parameters(of: rpc.functionID, $0) != nil
            }
            if isDescribed { add("\(rpc.functionName) has no \(rpc.type)") }
            return
        }
        guard rpc.parameters.objectValue != nil else {
            add("the parameters are \(article(rpc.parameters.typeName)), expected an object")
            return
        }
        check(rpc.parameters, against: parameters, at: "params", isRefusal: isRefusal(rpc))
    }

    /// Returns whether it is a response that refuses, which carries only the two common parameters.
    private func isRefusal(_ rpc: SDL.RPC) -> Bool {
        let isResponse = rpc.type == .response || rpc.type == .errorResponse
        return isResponse && rpc.parameters["success"] != .bool(true)
    }

    private mutating func check(
        _ object: Value, against parameters: [RPCSpecification.Parameter], at path: String,
        isRefusal: Bool = false
    ) {
        for parameter in parameters {
            if let value = object[parameter.name] {
                check(value, against: parameter, at: "\(path).\(parameter.name)")
            } else if !isRefusal || ["success", "resultCode"].contains(parameter.name) {
                reportMissing(parameter, at: path)
            }
        }
        checkDuplicates(object, at: path)
    }

    private mutating func reportMissing(
        _ parameter: RPCSpecification.Parameter, at path: String
    ) {
        switch parameter.presence {
        case .optional:
            break
        case .mandatory:
            add("the mandatory \(path).\(parameter.name) is missing")
        case .mandatoryLater:
            add(
                "\(path).\(parameter.name) is missing; it is mandatory since a later version",
                .warning)
        }
    }

    private mutating func checkDuplicates(_ object: Value, at path: String) {
        var seen: Set<String> = []
        for member in object.objectValue ?? [] where !seen.insert(member.name).inserted {
            add("\(path).\(member.name) appears more than once")
        }
    }

    private mutating func check(
        _ value: Value, against parameter: RPCSpecification.Parameter, at path: String
    ) {
        guard let count = parameter.count else {
            check(value, against: parameter.type, at: path)
            return
        }
        guard let elements = value.arrayValue else {
            add("\(path) is \(article(value.typeName)), expected an array")
            return
        }
        if !count.contains(elements.count) {
            add("\(path) has \(elements.count) element(s), allowed: \(count.text)")
        }
        for (index, element) in elements.enumerated() {
            check(element, against: parameter.type, at: "\(path)[\(index)]")
        }
    }

    private mutating func check(
        _ value: Value, against type: RPCSpecification.ParameterType, at path: String
    ) {
        switch (type, value) {
        case (.boolean, .bool):
            break
        case (.integer(let bounds), .integer(let number)):
            if !bounds.contains(number) { add("\(path) is \(number), allowed: \(bounds.text)") }
        case (.float(let bounds), .integer), (.float(let bounds), .double):
            guard let number = value.numberValue, !bounds.contains(number) else { break }
            add("\(path) is \(number), allowed: \(bounds.text)")
        case (.string(let bounds), .string(let text)):
            let length = text.unicodeScalars.count
            if !bounds.contains(length) {
                add("\(path) has \(length) characters, allowed: \(bounds.text)")
            }
        case (.enumeration(let name), .string(let text)):
            if RPCSpecification.enumerationSets[name]?.contains(text) == false {
                add("\(path) is '\(text)', which is not a \(name)")
            }
        case (.structure(let name), .object):
            check(value, against: specification.structures[name] ?? [], at: path)
        default:
            add("\(path) is \(article(value.typeName)), expected \(article(type.text))")
        }
    }

    private mutating func add(_ text: String, _ severity: Anomaly.Severity = .violation) {
        anomalies.append(Anomaly(severity, text, specification: source))
    }

    private func article(_ noun: String) -> String {
        if noun == "null" || noun == "bytes" { return noun }
        return ("aeioAEIO".contains(noun.prefix(1)) ? "an " : "a ") + noun
    }
}

extension RPCSpecification.Bounds {
    /// The limits as text: `1 to 100`, `at most 100`, `at least 1`.
    fileprivate var text: String {
        switch (minimum, maximum) {
        case (let minimum?, let maximum?): "\(minimum) to \(maximum)"
        case (nil, let maximum?): "at most \(maximum)"
        case (let minimum?, nil): "at least \(minimum)"
        case (nil, nil): "any"
        }
    }
}

extension RPCSpecification.ParameterType {
    /// The type as a noun.
    fileprivate var text: String {
        switch self {
        case .boolean: "boolean"
        case .integer: "integer"
        case .float: "number"
        case .string: "string"
        case .enumeration(let name), .structure(let name): name
        }
    }
}

extension SDL.RPC {
    /// The parameters' violations of the specification's tables.
    public var parameterViolations: [Anomaly] {
        ParameterCheck(self).anomalies.filter { $0.severity == .violation }
    }
}
