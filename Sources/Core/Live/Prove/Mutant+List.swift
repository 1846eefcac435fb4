import FoundationEssentials
import Results
import System

extension Mutant {
    /// The mutants of a reference device, as its `mutants` subcommand prints them.
    public static func list(executable: String) throws -> [Mutant] {
        let output = try CommandOutput.of([executable, "mutants"])
        return try JSONDecoder().decode([Mutant].self, from: Data(output))
    }
}
