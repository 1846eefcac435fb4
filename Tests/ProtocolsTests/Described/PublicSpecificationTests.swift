import Kaitai
import Testing
import YAML

/// Kaitai's own tests, as an independent check.
@Suite(
    "The public test suite of Kaitai Struct",
    .enabled(if: PublicSpecifications.folder != nil, "../shared/kaitai is not next to the project"))
struct PublicSpecificationTests {
    /// The specifications that need code of the program's own.
    private static let needPlugIns: Set<String> = [
        "process_custom", "process_custom_no_args", "process_repeat_usertype_dynarg_custom",
        "process_term_struct",
    ]

    @Test("All inputs of the specifications are read as expected")
    func reading() throws {
        let names = PublicSpecifications.files(in: "tests/spec/ks", ending: ".kst")
            .map { String($0.dropLast(4)) }
        var failures: [String] = []
        var values = 0
        for name in names where !Self.needPlugIns.contains(name) {
            let (count, problem) = try Self.check(PublicSpecifications.Specification(name: name))
            values += count
            if let problem { failures.append("\(name): \(problem)") }
        }
        let needed = names.count - Self.needPlugIns.count
        print(
            "Kaitai: \(needed - failures.count) of \(needed) specifications hold, \(values) values")
        #expect(names.count >= 320)
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }

    /// Reads an input and returns the number of values compared and the first problem.
    private static func check(
        _ specification: PublicSpecifications.Specification
    ) throws -> (values: Int, problem: String?) {
        let description: KaitaiDescription
        do {
            description = try KaitaiDescription.load(
                path: "\(PublicSpecifications.path)/tests/formats/\(specification.id).ksy",
                searchPaths: PublicSpecifications.searchPaths,
                companions: specification.companions)
        } catch {
            return (0, "\(error)")
        }
        var reading = KaitaiReading(specification.data, by: description)
        do {
            try reading.read()
        } catch {
            guard
                let wanted = specification.exception
                    ?? (specification.id.hasSuffix("_exception") ? "EndOfStreamError" : nil)
            else { return (0, "\(error)") }
            let found = PublicSpecifications.exception(of: error.code)
            if !wanted.hasPrefix(found) { return (0, "\(found) instead of \(wanted): \(error)") }
            if let message = specification.message, message != error.what {
                return (0, "\"\(error.what)\" instead of \"\(message)\"")
            }
        }
        if specification.exception != nil, let problem = instances(&reading, specification) {
            return (0, problem)
        }
        var values = 0
        for assertion in specification.assertions {
            if let problem = try hold(assertion, description, &reading) { return (values, problem) }
            values += 1
        }
        return (values, nil)
    }

    /// Returns the problem if no instance fails as expected; some fail only when they are queried.
    private static func instances(
        _ reading: inout KaitaiReading, _ specification: PublicSpecifications.Specification
    ) -> String? {
        var codes: [String] = []
        do {
            try reading.read()
            for name in reading.instanceNames(of: reading.root) {
                _ = try reading.value(of: name, in: reading.root)
            }
        } catch {
            codes.append(PublicSpecifications.exception(of: error.code))
        }
        let wanted = specification.exception ?? ""
        return codes.contains { wanted.hasPrefix($0) } ? nil : "\(wanted) is missing"
    }

    private static func hold(
        _ assertion: PublicSpecifications.Specification.Assertion,
        _ description: KaitaiDescription, _ reading: inout KaitaiReading
    ) throws -> String? {
        do {
            let actual = try reading.evaluate(
                description.expression(assertion.actual, allowsNull: true))
            guard let expected = assertion.expected else {
                return "\(assertion.actual) is not an error"
            }
            let wanted = try reading.evaluate(
                description.expression(expected, allowsNull: true))
            if PublicSpecifications.matches(actual, wanted) { return nil }
            return "\(assertion.actual) is \(actual), not \(wanted)"
        } catch {
            return assertion.expected == nil ? nil : "\(assertion.actual): \(error)"
        }
    }

    @Test("Wrong descriptions are refused, with a position")
    func refusing() throws {
        // Three do not state what is wrong with them, and ten must load with a warning.
        let unstated: Set<String> = [
            "expr_sizeof_value_dynamic3", "params_def_top_imported", "params_def_subtype_imported",
        ]
        var accepted: [String] = []
        var refused = 0
        var warned = 0
        for file in PublicSpecifications.files(in: "tests/formats_err", ending: ".ksy") {
            let name = String(file.dropLast(4))
            let path = "\(PublicSpecifications.path)/tests/formats_err/\(file)"
            let text = try SourceFile.text(path: path)
            if unstated.contains(name) { continue }
            let mustLoad = text.contains("warning:") && !text.contains("error:")
            do {
                _ = try KaitaiDescription.load(path: path)
                if mustLoad { warned += 1 } else { accepted.append(name) }
            } catch {
                #expect(!mustLoad, "\(error)")
                refused += 1
                for diagnostic in error.diagnostics where diagnostic.severity == .error {
                    #expect(diagnostic.position != nil, "\(diagnostic)")
                    #expect(!diagnostic.what.isEmpty)
                }
            }
        }
        print("Kaitai: \(refused) of \(refused + accepted.count) refused, \(warned) of 10 warn")
        print("Kaitai: accepted: \(accepted.joined(separator: ", "))")
        #expect(refused >= 135)
        #expect(warned == 10)
    }

    /// Returns the text of a file.
    ///
    /// A file that a description imports and that is missing next to the project is replaced by a
    /// type without fields.
    private static func text(path: String) throws(InvalidInput) -> String {
        if path.hasSuffix("/windows/windows_systemtime.ksy") {
            return "meta: {id: windows_systemtime}"
        }
        return try KaitaiDescription.text(path: path)
    }

    @Test("Every description in use is loaded", arguments: ["formats", "tests/formats"])
    func loading(folder: String) {
        var failures: [String] = []
        let files = PublicSpecifications.files(in: folder, ending: ".ksy")
        for file in files {
            do {
                _ = try KaitaiDescription.load(
                    path: "\(PublicSpecifications.path)/\(folder)/\(file)",
                    searchPaths: PublicSpecifications.searchPaths, source: Self.text)
            } catch {
                failures.append("\(error)")
            }
        }
        print("Kaitai: \(files.count - failures.count) of \(files.count) of \(folder) load")
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    }
}

/// Writing what was read.
@Suite(
    "The public test suite of Kaitai Struct, written",
    .enabled(if: PublicSpecifications.folder != nil, "../shared/kaitai is not next to the project"))
struct PublicSpecificationWritingTests {
    @Test("An input that is read to its end is written as the same bytes")
    func roundTrip() throws {
        let names = PublicSpecifications.files(in: "tests/spec/ks", ending: ".kst")
        var same = 0
        var without = 0
        var failures: [String] = []
        for name in names {
            let specification = try PublicSpecifications.Specification(
                name: String(name.dropLast(4)))
            let description = try KaitaiDescription.load(
                path: "\(PublicSpecifications.path)/tests/formats/\(specification.id).ksy",
                searchPaths: PublicSpecifications.searchPaths)
            var reading = KaitaiReading(
                specification.data, by: description, keepsTrailingBytes: true)
            do { try reading.read() } catch { continue }
            let wanted = Array(specification.data.prefix(reading.bytesTaken))
            if wanted.isEmpty {
                without += 1
                continue
            }
            do {
                let bytes = try description.encode(reading.content)
                if bytes == wanted { same += 1 } else { failures.append(specification.id) }
            } catch {
                failures.append("\(specification.id): \(error)")
            }
        }
        let total = same + without + failures.count
        print("Kaitai: \(same) of \(total) written as they were read, \(without) have no seq")
        print("Kaitai: not the same: \(failures.joined(separator: "\n"))")
        #expect(same >= 256)
    }
}
