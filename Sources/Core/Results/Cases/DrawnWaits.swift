import SuiteLanguage
import Wire

/// The waits of one execution of a step that must be random.
public struct DrawnWaits: Sendable, Codable, Hashable {
    /// A random wait.
    public struct Sample: Sendable, Hashable, Codable {
        /// How long it took, in seconds.
        public var measured: Double
        /// Its lower bound.
        public var lower: Double
        /// Its upper bound.
        public var upper: Double
        /// Its upper bound without the cap.
        public var uncut: Double
        /// The minimum to which shorter waits are raised; `nil` if there is none.
        public var floor: Double?
        /// By how much it may have been measured too short.
        public var early: Double
        /// By how much it may have been measured too long.
        public var late: Double
        /// Whether its bounds depend on the previous wait.
        public var dependsOnHistory: Bool
        /// The number of resets of the schedule before it.
        public var life: Int
        /// Its number since that reset.
        public var number: Int
        /// When it began.
        public var began: Timestamp

        /// Creates a wait.
        public init(
            measured: Double, lower: Double, upper: Double, uncut: Double, floor: Double? = nil,
            early: Double, late: Double, dependsOnHistory: Bool, life: Int = 0, number: Int = 0,
            began: Timestamp = Timestamp(nanoseconds: 0)
        ) {
            self.measured = measured
            self.lower = lower
            self.upper = upper
            self.uncut = uncut
            self.floor = floor
            self.early = early
            self.late = late
            self.dependsOnHistory = dependsOnHistory
            self.life = life
            self.number = number
            self.began = began
        }
    }

    /// The waits.
    public let samples: [Sample]
    /// The number of the step, as in reports.
    public let step: Int
    /// The requirements that are broken if the waits are not random as demanded.
    public let requirements: [Requirement]

    /// Creates the waits of a step.
    public init(samples: [Sample], step: Int, requirements: [Requirement]) {
        self.samples = samples
        self.step = step
        self.requirements = requirements
    }
}
