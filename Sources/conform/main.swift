import Runner

// A worker must enter its namespaces while the process still has one thread: nothing comes before.
if CommandLine.arguments.dropFirst().first == Worker.subcommand {
    Worker.run(arguments: Array(CommandLine.arguments.dropFirst(2)))
}
Tool.run(Array(CommandLine.arguments.dropFirst()))
