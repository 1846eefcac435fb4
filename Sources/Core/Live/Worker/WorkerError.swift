/// A problem that prevents a worker from running its case.
struct WorkerError: Error, CustomStringConvertible {
    /// The problem, as a sentence.
    let detail: String

    /// The sentence.
    var description: String { detail }
}
