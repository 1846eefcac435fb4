import Capture
import Judge
import Results
import SuiteLanguage
import Trace
import Wire

/// Judges saved captures by a suite: the same way to a verdict as in a live run, without a device.
public struct CaptureCheck: Sendable {
    /// How captures are judged.
    public struct Options: Sendable {
        /// Which addresses are the peers and devices in captures of other tools.
        public var roles = CaptureRoles()
        /// What a case is judged on.
        public var grouping = Grouping.capture
        /// Whether a capture of `conform` is judged by every wanted case, not only by its own.
        public var takesEveryCapture = false
        /// Parameter values that replace those of the captures.
        public var parameters = ParameterOverrides()
        /// How the files are read if they are logs; `nil` if they are captures.
        public var logFormat: LogFormat?
        /// How many parts of a trace are judged at the same time; the oldest are given up first.
        public var partsMax = CaptureLimit.judged.value
        /// The other program that dissects captures in addition to `conform`; `nil` for none.
        public var dissection: TsharkDissection?
        /// How packets are read.
        public var trace: TraceOptions
        /// How to wait for more at the end of a capture that is still being written.
        public var following: Following?
        /// How many threads judge connections.
        public var shares = 1
        /// Whether a capture is known to be complete until its last packet.
        ///
        /// This is for captures whose files do not say so.
        public var isEndKnown = false
        /// Whether each message of the device must conform to its specification in every suite.
        public var holdsToProtocol = false
        /// Whether to keep the messages that a report shows.
        public var keepsEvidence = true
        /// Whether to keep them for a result that passed too.
        public var keepsEvidenceOfPasses = true

        /// Creates the default options for captures of these protocols.
        public init(_ protocols: ProtocolRegistry) {
            trace = TraceOptions(protocols)
        }
    }

    let suite: Suite
    let selection: CaseSelection
    let options: Options

    /// Prepares a check of captures or of logs.
    ///
    /// Captures that `conform` made are judged with the parameters that they were made with, unless
    /// the options say otherwise.
    ///
    /// - Parameters:
    ///   - suite: The suite.
    ///   - selection: Which of its cases are wanted.
    ///   - options: How captures are judged; `nil` for the default options.
    public init(suite: Suite, selection: CaseSelection, options: Options? = nil) {
        let options = options ?? Options(suite.protocols)
        var suite = suite
        if options.holdsToProtocol { suite.cases = suite.cases.map { $0.heldToProtocol(true) } }
        self.suite = suite
        self.selection = selection
        self.options = options
    }

    /// Judges one case on one capture.
    ///
    /// A capture that `conform` made is judged at the time scale at which it was made.
    ///
    /// - Throws: `CaptureError` if the file cannot be opened, `CheckError` if it cannot be judged.
    /// Damage later in the file is part of the verdict.
    public func judge(_ testCase: TestCase, on path: String) throws -> CaseResult {
        if let format = options.logFormat {
            return try judge(testCase, onLog: path, of: format)
        }
        let capture = try JudgedCapture([path], options)
        var prepared: [String: PreparedCase] = [:]
        let results = try capture.judge([testCase], of: suite, prepared: &prepared)
        guard let result = results.first else {
            throw CheckError(description: "\(path): nothing to judge")
        }
        return result
    }

    /// Returns the cases that judge a capture: the one that it was made for, or all wanted cases.
    ///
    /// - Throws: `CheckError` if the capture belongs to another suite or to a case that the suite
    ///   does not have.
    func cases(for capture: JudgedCapture) throws -> [TestCase] {
        guard !options.takesEveryCapture, let metadata = capture.metadata else {
            return wantedCases
        }
        guard metadata.suite == suite.id else {
            throw CheckError(
                description: "\(capture.name): the capture was made for suite \(metadata.suite), "
                    + "not for \(suite.id); --assume foreign judges it by this one all the same")
        }
        let own = try options.parameters.suite(
            suite, at: suite.file, given: try capture.givenParameters())
        guard let found = try own.testCase(metadata.testCase) else {
            throw CheckError(
                description: "\(capture.name): the capture was made for case \(metadata.testCase), "
                    + "which \(own.file) does not have")
        }
        let testCase = found.heldToProtocol(options.holdsToProtocol)
        return selection.selects(testCase, of: own) ? [testCase] : []
    }

    /// The cases that the selection wants.
    ///
    /// The rules of the suite are a case of their own, which is judged on every capture of another
    /// tool.
    var wantedCases: [TestCase] {
        (suite.cases + [suite.rulesCase].compactMap(\.self)).filter {
            selection.selects($0, of: suite)
        }
    }

    /// Returns the parameters with which a capture is judged.
    func parameters(for capture: JudgedCapture?) throws -> [RunParameter] {
        let given = try capture?.givenParameters() ?? [:]
        let suite = try options.parameters.suite(suite, at: suite.file, given: given)
        return options.parameters.origins(of: suite, given: given, source: .capture)
    }
}

/// An error for a capture that the suite cannot judge.
public struct CheckError: Error, Sendable, CustomStringConvertible {
    /// A sentence that gives the reason.
    public let description: String
}
