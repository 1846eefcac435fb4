import Devices
import Reporting
import SuiteLanguage
import System
import Wire

extension Command {
    /// `conform schema`: prints the JSON Schema of a kind of file, for editors.
    static let schema = Command(
        name: "schema",
        operands: "[suite|include|protocol|requirements|device|project|log|results|evidence]",
        summary:
            "Prints the JSON Schema of a kind of file, for editors and for readers of results.",
        example: "schema project", options: []
    ) { arguments in
        guard arguments.operands.count <= 1 else {
            throw UsageError("conform schema takes one kind of file")
        }
        let schemas = SuiteSchema(arguments.protocols)
        let schema = try schema(of: arguments.operands.first ?? "suite", schemas)
        StandardOutput.document(schema.jsonText(pretty: true) + "\n")
        return 0
    }

    private static func schema(
        of kind: String, _ schemas: SuiteSchema
    ) throws(UsageError) -> Value {
        switch kind {
        case "suite": return schemas.suite
        case "include": return schemas.included
        case "protocol": return schemas.protocolFile
        case "requirements": return schemas.requirements
        case "device": return DeviceProfile.schema(schemas)
        case "project":
            return schemas.document(
                ProjectFile.vocabulary, hasVariables: false,
                example: """
                    {"conform": 1, "suites": ["suites"], "device": "device.yaml",
                      "reports": "Reports", "jobs": 4}
                    """)
        case "log": return schemas.logFormat
        case "results": return ResultsSchema.document
        case "evidence": return ResultsSchema.evidenceFile
        default:
            let kinds = [
                "suite", "include", "protocol", "requirements", "device", "project", "log",
                "results",
                "evidence",
            ]
            throw UsageError(
                "there is no schema of \"\(kind)\" files; "
                    + Suggestion.advice(for: kind, in: kinds))
        }
    }
}
