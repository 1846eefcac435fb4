import SuiteLanguage
import Wire

extension DeviceProcess {
    /// Carries out a control of the profile.
    ///
    /// A request and a command are answered later by `DeviceNotice.controlAnswered`; a signal is
    /// not answered.
    ///
    /// - Parameters:
    ///   - name: Its name in the profile, such as `background`.
    ///   - arguments: Its arguments: `params` of a request; `${arguments}` and `${arguments.NAME}`
    ///     of a command.
    /// - Returns: The identifier that the answer carries.
    @discardableResult
    public func perform(
        control name: String, arguments: Value = .null
    ) throws(DeviceError) -> Int64 {
        guard let control = profile.controls[name] else {
            throw DeviceError(
                .noSuchControl, "\(profile.name) has no control \"\(name)\"",
                advice: Suggestion.advice(for: name, in: profile.controls.keys.sorted()))
        }
        guard isAlive else {
            throw DeviceError(.ended, "control \(name): the device has ended")
        }
        let id = channel.makeId()
        switch control.way {
        case .request(let method):
            let text = try channel.send(name, method: method, arguments: arguments, id: id)
            log.record("control \(name): \(text)")
        case .signal(let number):
            log.record("control \(name): \(SignalName.name(of: number) ?? "signal \(number)")")
            signal(number)
        case .command, .ssh, .http, .serial, .person:
            try runner.perform(name, control, arguments: arguments, id: id)
        }
        return id
    }

    /// Sends a liveness probe on the control channel; any answer counts, even a refusal.
    ///
    /// - Returns: The identifier that the answer carries.
    public func ping() throws(DeviceError) -> Int64 {
        let id = channel.makeId()
        let text = try channel.send("ping", method: "ping", arguments: .null, id: id)
        log.record("ping: \(text)")
        return id
    }
}
