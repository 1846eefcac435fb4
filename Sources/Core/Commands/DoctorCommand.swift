import Live
import Results
import System

extension Command {
    /// `conform doctor`: reports what this machine allows conform to do.
    static let doctor = Command(
        name: "doctor", operands: "",
        summary: "Shows what conform can do on this machine, and what is missing.",
        example: "doctor",
        options: []
    ) { _ in
        let findings = Diagnosis.run(executable: Executable.conform)
        for finding in findings {
            let word = finding.state.rawValue
            let gap = String(repeating: " ", count: max(1, 8 - word.count))
            StandardOutput.print("\(word)\(gap)\(finding.what)")
            for line in finding.advice { StandardOutput.print("        \(line)") }
        }
        return findings.allSatisfy { $0.state != .missing } ? 0 : ExitStatus.couldNotJudge.rawValue
    }
}
