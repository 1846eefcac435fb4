import Live
import Results
import SuiteLanguage

/// The option that names the device under test.
enum DeviceOption {
    static let option = Option(
        "--device", "DEVICE",
        "a device profile (FILE), reference or reference:MUTANT (the reference device), or "
            + "'command:CMD', which starts your device, with ${host} ${port} ${config}; "
            + "pause:DEVICE: wait for Enter before each case; with several devices conform run "
            + "makes one report", repeats: true)
    /// The word for the reference device in place of a profile.
    static let reference = "reference"
    private static let mutant = "reference:"
    private static let command = "command:"
    private static let pause = "pause:"

    /// Returns whether a value names something other than a profile.
    static func isWord(_ value: String) -> Bool {
        value == reference || [mutant, command, pause].contains(where: value.hasPrefix)
    }

    /// Returns whether each case waits for a person before its device is started.
    static func isPaused(_ arguments: Arguments) -> Bool {
        arguments.value(option.name)?.hasPrefix(pause) == true
    }

    /// Sets the device if the command line names none, or only says that it is paused.
    ///
    /// - Returns: Whether it is set.
    static func complete(_ arguments: inout Arguments, with device: String) -> Bool {
        switch arguments.value(option.name) {
        case nil: arguments.set(option, to: [device])
        case pause: arguments.set(option, to: [pause + device])
        default: return false
        }
        return true
    }

    /// Returns the chosen device; by default the reference device.
    static func selected(_ arguments: Arguments) throws -> DeviceSelection {
        guard arguments.all(option.name).count <= 1 else {
            throw UsageError("only conform run takes several devices; give \(option.name) once")
        }
        var value = Substring(arguments.value(option.name) ?? "")
        if isPaused(arguments) { value = value.dropFirst(pause.count) }
        if value.isEmpty || value == reference {
            return .reference(executable: Executable.device, mutant: nil)
        }
        if value.hasPrefix(command) {
            let words = try CommandWords.split(String(value.dropFirst(command.count)))
            guard !words.isEmpty else {
                throw UsageError("\(option.name) \(command) names no program")
            }
            return .command(words)
        }
        guard value.hasPrefix(mutant) else {
            let words = [reference, String(command.dropLast()), String(pause.dropLast())]
            let word = value.prefix { $0 != ":" }
            let meant = words.first { $0 == word } ?? Suggestion.closest(to: "\(word)", in: words)
            if let meant, !ReportOptions.isThere(String(value)) {
                throw UsageError(
                    "\(option.name) \(value): there is no such file; "
                        + "did you mean \(meant == reference ? meant : meant + ":...")?")
            }
            return .profile(path: String(value))
        }
        let name = String(value.dropFirst(mutant.count))
        let names = try mutants()
        guard !name.isEmpty else {
            throw UsageError(
                "\(option.name) \(mutant) names no mutant; write \(option.name) \(mutant)NAME, or "
                    + "\(option.name) \(reference) for the device without one")
        }
        guard names.contains(name) else { throw UsageError.unknownMutant(name, among: names) }
        return .reference(executable: Executable.device, mutant: name)
    }

    /// Returns the values for a mutant of the reference device that complete a word.
    static func mutantValues(completing word: String) -> [String] {
        guard word.hasPrefix(mutant) else { return [] }
        return ((try? mutants()) ?? []).map { mutant + $0 }
    }

    /// Returns the names of the mutants of the reference device.
    static func mutants() throws -> [String] {
        try Mutant.list(executable: Executable.device).map(\.name)
    }
}
