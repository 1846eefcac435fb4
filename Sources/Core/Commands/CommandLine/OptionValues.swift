import Live

/// Checks the values of options before a command reads a file or starts a program.
///
/// An error in the command line is then reported whatever else is wrong.
enum OptionValues {
    /// Throws if the value of an option of the command cannot be used.
    static func check(_ arguments: Arguments, of command: Command) throws {
        try CaptureOptions.setLimits(arguments)
        for option in command.options where option.value != nil && arguments.has(option.name) {
            try checks[option.name]?(arguments, option)
        }
        _ = try ReportOptions.level(arguments)
    }

    private typealias Check = @Sendable (Arguments, Option) throws -> Void

    /// The checks by the names of options that mean the same in all commands.
    private static let checks: [String: Check] = [
        CommonOptions.jobs.name: { arguments, _ in _ = try CommonOptions.jobCount(arguments) },
        CommonOptions.network.name: { arguments, _ in _ = try CommonOptions.isolation(arguments) },
        CommonOptions.peer.name: { arguments, _ in _ = try CommonOptions.peerEndpoints(arguments) },
        ParameterOptions.parameter.name: { arguments, _ in
            _ = try ParameterOptions.values(arguments)
        },
        SeedOption.option.name: { arguments, _ in _ = try SeedOption.seed(arguments) },
        TimeScaleOption.option.name: { arguments, _ in
            _ = try TimeScaleOption.timeScale(arguments)
        },
        ExploreOptions.runs.name: { arguments, _ in _ = try ExploreOptions.count(arguments) },
        ExploreOptions.time.name: { arguments, _ in _ = try ExploreOptions.duration(arguments) },
        ShardOption.option.name: { arguments, _ in try ShardOption.checkPart(arguments) },
        StrictOption.ofRun.name: { arguments, option in
            _ = try StrictOption.words(arguments, of: option)
        },
        PolicyOptions.repetitions.name: { arguments, _ in
            _ = try PolicyOptions.attempts(arguments)
        },
        PolicyOptions.retries.name: { arguments, _ in _ = try PolicyOptions.attempts(arguments) },
        RunOptions.minimum.name: { arguments, option in
            _ = try arguments.number(option.name, minimum: 0)
        },
        ReportOptions.annotations.name: { arguments, _ in
            _ = try ReportOptions.further(arguments)
        },
        CaptureOptions.assume.name: { arguments, option in
            _ = try CaptureOptions.assumptions(arguments, of: option)
        },
        CaptureOptions.follow.name: { arguments, _ in _ = try CaptureOptions.following(arguments) },
    ]
}
