import Suites
import Wire

/// The waits of one execution of a step that chance should draw.
public struct DrawnWaits: Sendable, Codable, Hashable {
    /// A wait that chance drew.
    public struct Sample: Sendable, Hashable, Codable {
        /// How long it took, in seconds.
        public var measured: Double
        /// The shortest that it may be.
        public var lower: Double
        /// The longest that it may be.
        public var upper: Double
        /// The longest that it may be without the cap.
        public var uncut: Double
        /// The least to which shorter ones are raised; `nil` if there is none.
        public var floor: Double?
        /// How much shorter than drawn it may have been measured.
        public var early: Double
        /// How much longer than drawn it may have been measured.
        public var late: Double
        /// Whether its bounds hang on the wait before.
        public var dependsOnHistory: Bool
        /// In which life of the client it is: since which reset.
        public var life: Int
        /// Its number in that life.
        public var number: Int
        /// When it began.
        public var began: Timestamp

        /// Makes a wait.
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
    /// The step, as reports count.
    public let step: Int
    /// What waits that chance does not draw so break.
    public let requirements: [Requirement]

    /// Makes the waits of a step.
    public init(samples: [Sample], step: Int, requirements: [Requirement]) {
        self.samples = samples
        self.step = step
        self.requirements = requirements
    }
}
