import Live
import Reporting
import System

extension Command {
    /// `conform clean`: removes what killed runs have left.
    static let clean = Command(
        name: "clean", operands: "[REPORTS ...]",
        summary: "Removes what killed runs have left: folders of devices, half-written files.",
        example: "clean Reports/*", options: []
    ) { arguments in
        var removed = KilledRuns.removeScratchFolders()
        for folder in arguments.operands {
            guard ReportOptions.isThere(folder) else {
                throw UsageError("there is no folder \(folder)")
            }
            removed += try KilledRuns.remove(in: folder)
        }
        removed.forEach { StandardOutput.print("removed \($0)") }
        if removed.isEmpty { StandardOutput.print("nothing to remove") }
        return 0
    }
}
