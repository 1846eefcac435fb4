import Glibc
import Offline
import SuiteLanguage
import System

/// The suites that tasks have named, each loaded once.
struct LoadedSuites {
    private struct Key: Hashable {
        let path: String
        let searchPath: [String]
        let parameters: String

        init(_ task: WorkerTask) {
            (path, searchPath, parameters) = (task.suite, task.searchPath, task.parameters)
        }
    }

    private let loader: SuiteLoader
    private var loaded: [Key: Result<Suite, any Error>] = [:]
    /// The first task of each suite, until it has been rehearsed.
    private var first: [Key: WorkerTask] = [:]

    init(loader: SuiteLoader) { self.loader = loader }

    /// Returns the suite of a task.
    mutating func suite(of task: WorkerTask) throws -> Suite {
        let key = Key(task)
        if let known = loaded[key] { return try known.get() }
        let suite = Result {
            try loader.load(
                path: task.suite, searchPath: task.searchPath,
                parameters: ParameterText.values(task.parameters))
        }
        loaded[key] = suite
        first[key] = task
        return try suite.get()
    }

    /// Judges the capture of a suite's first task once, as soon as it is saved, without any effect.
    ///
    /// The tables of the protocols, and what the Swift runtime looks up of each type that it meets,
    /// are then ready in the workers that are forked later; it takes a tenth of their time.
    ///
    /// - Parameters:
    ///   - task: The current task.
    ///   - suite: Its suite.
    ///   - reports: The descriptor of its report folder.
    mutating func rehearse(_ task: WorkerTask, _ suite: Suite, reports: Int32) {
        let key = Key(task)
        guard let earlier = first[key] else { return }
        let folder = HeldFolder(inherited: dup(reports), path: task.reports)
        // What is wrong with the task, its own worker reports.
        guard let past = try? WorkerCase(earlier, of: suite, reports: folder), past.isSaved else {
            return
        }
        first[key] = nil
        past.rehearse()
    }
}
