import Foundation
import FoundationXML
import Testing

@testable import SDL

@Suite("SDL: tables of the RPC specification")
struct RPCSpecificationTests {
    private let specification = RPCSpecification.shared

    @Test("The tables are read without a problem and have the specification's number of entries")
    func counts() {
        #expect(specification.problems == [])
        #expect(RPCFunctions.shared.problems == [])
        #expect(specification.enumerations.count == 109)
        #expect(specification.structures.count == 121)
        #expect(specification.messages.count == 152)
        #expect(RPCFunctions.shared.names.count == 91)
        #expect(specification.enumerations["Result"]?.count == 37)
        #expect(specification.enumerations["Language"]?.count == 39)
    }

    @Test("Marks, limits and arrays in the tables' notation are read")
    func notation() throws {
        let registration = try #require(specification.parameters(of: 1, .request))
        let byName = Dictionary(uniqueKeysWithValues: registration.map { ($0.name, $0) })
        #expect(byName["appName"]?.type == .string(.init(minimum: nil, maximum: 100)))
        #expect(byName["appName"]?.presence == .mandatory)
        #expect(byName["appID"]?.presence == .mandatoryLater)
        #expect(byName["hashID"]?.presence == .optional)
        #expect(byName["vrSynonyms"]?.count == .init(minimum: 1, maximum: 100))
        #expect(byName["languageDesired"]?.type == .enumeration("Language"))
        #expect(byName["appInfo"]?.type == .structure("AppInfo"))
        let command = try #require(specification.parameters(of: 5, .request)?.first)
        #expect(command.type == .integer(.init(minimum: 0, maximum: 2_000_000_000)))
    }

    @Test("A broken table line is reported as a problem and does not crash")
    func brokenTable() {
        for line in [
            "x", "F: a B", "F 1: a", "F 1: a I1:2:3", "F 1: a [B", "F 1: a Bx, b Q", "F 1 2: a B",
            "F 1: a B c", "F 1: a I-", "F 1: a [B]x",
        ] {
            var reader = RPCTableReader()
            for entry in reader.entries(of: line) where reader.function(entry.head) != nil {
                let parameters = reader.parameters(of: entry.body)
                reader.checkReferences(of: parameters, to: [:])
            }
            #expect(!reader.problems.isEmpty, "\(line)")
        }
    }

    @Test(
        "The tables agree with MOBILE_API.xml",
        .enabled(if: TestData.hasSpecification, "the RPC specification's XML is not here"))
    func agreement() throws {
        let document = try XMLDocument(contentsOf: TestData.specification)
        let root = try #require(document.rootElement())
        let internals: Set<String> = ["FunctionID", "messageType"]
        var enumerations: [String: [String]] = [:]
        for element in root.elements(forName: "enum") where !internals.contains(element["name"]) {
            enumerations[element["name"]] = element.elements(forName: "element").map { $0["name"] }
        }
        #expect(specification.enumerations == enumerations)
        var structures: [String: [RPCSpecification.Parameter]] = [:]
        for element in root.elements(forName: "struct") {
            structures[element["name"]] = parameters(of: element, enumerations)
        }
        #expect(specification.structures == structures)
        let identifiers = functionIDs(in: root)
        #expect(RPCFunctions.shared.ids == identifiers)
        var messages: [RPCSpecification.MessageKey: [RPCSpecification.Parameter]] = [:]
        for element in root.elements(forName: "function") {
            let id = try #require(identifiers[element["name"]])
            let type = try #require(
                SDL.RPCType.allCases.first { "\($0)" == element["messagetype"] })
            messages[.init(id, type)] = parameters(of: element, enumerations)
        }
        #expect(specification.messages == messages)
    }

    private func functionIDs(in root: XMLElement) -> [String: UInt32] {
        let list = root.elements(forName: "enum").first { $0["name"] == "FunctionID" }
        var identifiers: [String: UInt32] = [:]
        for element in list?.elements(forName: "element") ?? [] where element["name"] != "RESERVED"
        {
            let hexadecimal = element["hexvalue"].drop { $0 == "0" || $0 == "x" }
            identifiers[String(element["name"].dropLast(2))] =
                UInt32(element["value"]) ?? UInt32(hexadecimal, radix: 16)
        }
        return identifiers
    }

    private func parameters(
        of element: XMLElement, _ enumerations: [String: [String]]
    ) -> [RPCSpecification.Parameter] {
        element.elements(forName: "param").map { parameter in
            let isLate =
                parameter["since"].compare(element["since"], options: .numeric)
                == .orderedDescending
            let presence: RPCSpecification.Presence =
                parameter["mandatory"] != "true" ? .optional : isLate ? .mandatoryLater : .mandatory
            return RPCSpecification.Parameter(
                name: parameter["name"], presence: presence,
                type: type(of: parameter, enumerations),
                count: parameter["array"] == "true"
                    ? .init(minimum: Int(parameter["minsize"]), maximum: Int(parameter["maxsize"]))
                    : nil)
        }
    }

    private func type(
        of parameter: XMLElement, _ enumerations: [String: [String]]
    ) -> RPCSpecification.ParameterType {
        let name = parameter["type"]
        let low = parameter["minvalue"]
        let high = parameter["maxvalue"]
        switch name {
        case "Boolean": return .boolean
        case "Integer": return .integer(.init(minimum: Int64(low), maximum: Int64(high)))
        case "Float": return .float(.init(minimum: Double(low), maximum: Double(high)))
        case "String":
            // A minimum of 0 has no effect and is left out of the tables.
            let minimum = Int(parameter["minlength"]).flatMap { $0 == 0 ? nil : $0 }
            return .string(.init(minimum: minimum, maximum: Int(parameter["maxlength"])))
        default: return enumerations[name] == nil ? .structure(name) : .enumeration(name)
        }
    }
}

extension XMLElement {
    /// Returns the text of an attribute, or an empty text if it is missing.
    fileprivate subscript(name: String) -> String {
        attribute(forName: name)?.stringValue ?? ""
    }
}
