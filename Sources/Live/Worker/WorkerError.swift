/// Something that keeps a worker from running its case.
struct WorkerError: Error, CustomStringConvertible {
    /// What it is, as a sentence.
    let detail: String

    /// The sentence.
    var description: String { detail }
}
