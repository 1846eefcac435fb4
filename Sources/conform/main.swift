import Runner

// A worker must enter its namespaces while the process still has one thread: nothing comes before.
if ProgramArguments.words.first == Worker.subcommand {
    Worker.run(arguments: Array(ProgramArguments.words.dropFirst()))
}
Tool.run(ProgramArguments.words)
