/// The shortest and plainest run found that fails in the same way as a drawn run.
///
/// It never changes the verdict on the drawn run itself.
public struct ShrunkRun: Sendable, Codable, Hashable {
    /// The id of its case, which names the acts and values that are left.
    public var id: String
    /// The acts that are left, with what was drawn for each.
    public var acts: [String]
    /// How many acts the drawn run has.
    public var drawnActs: Int
    /// One of its executions, with its capture.
    public var execution: Execution
    /// The requirements that it breaks.
    public var requirements: [String]
    /// How often it failed in the same way.
    public var rate: Rate
    /// How often the drawn run failed in the same way.
    public var drawnRate: Rate
    /// How many runs were executed to find it.
    public var runs: Int
    /// How long that took, in seconds.
    public var seconds: Double
    /// Whether nothing shorter or plainer was left to try when the time was over.
    public var isMinimal: Bool
    /// The run as a case that can be put into a suite.
    public var suiteText: String
    /// The command that executes it again.
    public var reproduce: String?

    /// How many executions of a run failed in the same way.
    public struct Rate: Sendable, Codable, Hashable {
        /// How many failed.
        public var failed: Int
        /// How many could be judged.
        public var judged: Int

        /// Creates a rate.
        public init(failed: Int, judged: Int) {
            self.failed = failed
            self.judged = judged
        }

        /// Whether some executions failed and others did not.
        public var isPartial: Bool { failed < judged }
    }

    /// Creates a result.
    public init(
        id: String, acts: [String], drawnActs: Int, execution: Execution, requirements: [String],
        rate: Rate, drawnRate: Rate, runs: Int, seconds: Double, isMinimal: Bool,
        suiteText: String, reproduce: String?
    ) {
        self.id = id
        self.acts = acts
        self.drawnActs = drawnActs
        self.execution = execution
        self.requirements = requirements
        self.rate = rate
        self.drawnRate = drawnRate
        self.runs = runs
        self.seconds = seconds
        self.isMinimal = isMinimal
        self.suiteText = suiteText
        self.reproduce = reproduce
    }
}
