import Foundation
import Kaitai
import YAML

/// The public test suite of Kaitai Struct, which is next to the project.
enum PublicSpecifications {
    /// The folder, or `nil` if it is missing.
    static let folder: String? = {
        let root = #filePath.split(separator: "/").dropLast(4)
        let folder = "/" + root.joined(separator: "/") + "/../shared/kaitai"
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()

    static var path: String { folder ?? "" }

    /// The folders of imports that begin with `/`.
    static var searchPaths: [String] {
        ["\(path)/tests/formats/ks_path", "\(path)/formats"]
    }

    static func files(in place: String, ending: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: "\(path)/\(place)")?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted()
    }

    /// A `.kst` file: an input and the expected values of expressions.
    struct Specification {
        struct Assertion {
            var actual: String
            var expected: String?
        }

        var id: String
        var data: [UInt8]
        var companions: [String]
        var exception: String?
        var message: String?
        var assertions: [Assertion]

        init(name: String) throws {
            let node = try YAMLNode.load(
                path: "\(path)/tests/spec/ks/\(name).kst", schema: .text)
            id = node["id"]?.string ?? name
            data = Array(
                try Data(
                    contentsOf: URL(filePath: "\(path)/tests/src/\(node["data"]?.string ?? "")")))
            companions = (node["imports"]?.elements ?? []).compactMap(\.string)
            exception = node["exception"]?.string ?? node["exception"]?["type"]?.string
            message = node["exception"]?["message"]?.string
            assertions = (node["asserts"]?.elements ?? []).map {
                Assertion(
                    actual: $0["actual"]?.string ?? "",
                    expected: $0["expected"].map { $0.string ?? "null" })
            }
        }
    }

    /// Returns the test suite's name of an error.
    static func exception(of code: KaitaiError.Code) -> String {
        switch code {
        case .endOfStream: "EndOfStreamError"
        case .notEqual: "ValidationNotEqualError"
        case .lessThan: "ValidationLessThanError"
        case .greaterThan: "ValidationGreaterThanError"
        case .notAnyOf: "ValidationNotAnyOfError"
        case .notInEnum: "ValidationNotInEnumError"
        case .expression: "ValidationExprError"
        case .undecidedEndianness: "UndecidedEndiannessError"
        case .conversion: "ConversionError"
        default: code.rawValue
        }
    }

    /// Whether two values are equal by the rules of the test suite.
    static func matches(_ actual: KaitaiValue, _ expected: KaitaiValue) -> Bool {
        switch (actual, expected) {
        case (.enumerator(let left, _), .enumerator(let right, _)),
            (.enumerator(let left, _), .integer(let right)),
            (.integer(let left), .integer(let right)):
            left == right
        case (.float(let left), .float(let right)): abs(left - right) < 1e-6
        case (.float(let left), .integer(let right)): abs(left - Double(right)) < 1e-6
        case (.array(let left), .bytes(let right)):
            left == right.map { KaitaiValue.integer(Int128($0)) }
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { matches($0, $1) }
        default: actual == expected
        }
    }
}
