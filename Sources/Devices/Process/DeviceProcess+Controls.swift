import Protocols
import Suites

extension DeviceProcess {
    /// Carries out a control of the profile.
    ///
    /// A request and a command are answered later by `DeviceNotice.controlAnswered`; a signal is
    /// not answered.
    ///
    /// - Parameters:
    ///   - control: Its name in the profile, such as `background`.
    ///   - arguments: What it is given: `params` of a request; `${arguments}` and
    ///     `${arguments.NAME}` of a command.
    /// - Returns: The identifier that the answer carries.
    @discardableResult
    public func perform(
        control: String, arguments: Value = .null
    ) throws(DeviceError) -> Int64 {
        guard let way = profile.controls[control] else {
            throw DeviceError(
                .noSuchControl, "\(profile.name) has no control \"\(control)\"",
                advice: Suggestion.advice(for: control, in: profile.controls.keys.sorted()))
        }
        guard isAlive else {
            throw DeviceError(.ended, "control \(control): the device has ended")
        }
        let id = channel.makeId()
        switch way {
        case .request(let method):
            let text = try channel.send(control, method: method, arguments: arguments, id: id)
            log.note("control \(control): \(text)")
        case .signal(let number):
            log.note("control \(control): \(SignalName.name(of: number) ?? "signal \(number)")")
            signal(number)
        case .command(let command):
            try run(command, control: control, arguments: arguments, id: id)
        }
        return id
    }

    /// Asks on the control channel for a sign of life; any answer is one, also a refusal.
    ///
    /// - Returns: The identifier that the answer carries.
    public func ping() throws(DeviceError) -> Int64 {
        let id = channel.makeId()
        let text = try channel.send("ping", method: "ping", arguments: .null, id: id)
        log.note("ping: \(text)")
        return id
    }

    private func run(
        _ command: [String], control: String, arguments: Value, id: Int64
    ) throws(DeviceError) {
        let text = arguments.jsonText()
        var own = placeholders
        own.values["arguments"] = text
        for member in arguments.objectValue ?? [] {
            own.values["arguments.\(member.name)"] =
                member.value.stringValue ?? member.value.jsonText()
        }
        let words = try own.fill(command, in: "control \(control)")
        let (reading, writing) = try Descriptor.pipe()
        var variables = environment
        variables["CONFORM_CONTROL"] = control
        variables["CONFORM_ARGUMENTS"] = text
        var directory: String?
        if let path = profile.workingDirectory { directory = try own.fill(path, in: "cwd") }
        log.note("control \(control): \(words.joined(separator: " "))")
        var launch = Launch(
            arguments: words, environment: variables.map { "\($0)=\($1)" }.sorted(),
            workingDirectory: directory, output: writing, error: writing, limits: profile.limits)
        launch.confine(by: profile, home: folders)
        let child = try ChildProcess(launch)
        readers.append(OutputReader(reading, stream: .control))
        channel.add(ControlChannel.Command(id: id, control: control, child: child))
    }

    /// Tells the end of a command.
    func finishCommand(_ descriptor: Int32) -> [DeviceNotice] {
        guard let (command, exit) = channel.takeEnded(descriptor) else { return [] }
        guard exit != .code(0) else {
            return [.controlAnswered(id: command.id, result: .success(.null))]
        }
        let failure = DeviceError(
            .controlFailed, "the command of control \(command.control) ended with \(exit)",
            advice: "look into the device's log for what it printed")
        return [.controlAnswered(id: command.id, result: .failure(failure))]
    }
}
