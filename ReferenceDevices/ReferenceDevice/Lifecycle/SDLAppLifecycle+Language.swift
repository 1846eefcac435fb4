import Wire

// MARK: - The registration-language negotiation (SDL-0054)

extension SDLAppLifecycle {
    /// Compares the head unit's language with the configuration's and acts on the result.
    ///
    /// This happens once for each registration.
    mutating func compareLanguages() {
        guard session?.hasCompared == false else { return }
        session?.hasCompared = true
        guard let headUnit = session?.headUnitLanguage else { return log(.languageUnknown) }
        let answer = RegistrationRules.Answer(
            language: headUnit, display: session?.headUnitDisplayLanguage,
            resultCode: session?.resultCode)
        guard rules.differs(answer, from: configuration) else { return log(.languagesEqual) }
        log(
            .languageMismatch,
            ["configured": .string(configuration.language), "headUnit": .string(headUnit)])
        change(to: headUnit)
    }

    /// Changes to the first other language without knowing the head unit's.
    ///
    /// An app that does not wait for the response does this.
    mutating func changeBeforeResponse() {
        guard let guess = rules.guessBeforeResponse(configuration) else { return }
        session?.hasCompared = true
        change(to: guess)
    }

    private mutating func change(to headUnit: String) {
        guard rules.supports(headUnit, configuration) else {
            return log(.languageNotSupported, ["language": .string(headUnit)])
        }
        guard rules.asks(configuration.delegate) else { return log(.delegateNotImplemented) }
        let requested = rules.languageAsked(headUnit, configuration)
        log(.delegateAsked, ["language": .string(requested)])
        let answer = configuration.delegate.update(to: requested)
        guard let update = rules.update(answered: answer, to: headUnit, configuration) else {
            rules.applyNothing(of: headUnit, to: &configuration)
            return log(.delegateReturnedNothing)
        }
        let parameters = rules.changeParameters(update, to: headUnit, from: configuration)
        session?.languageBefore = configuration.language
        rules.apply(update, to: headUnit, in: &configuration)
        session?.change = parameters
        for _ in 0..<rules.requestsPerChange { sendChange(parameters) }
    }

    mutating func sendChange(_ parameters: Value) {
        request("ChangeRegistration", parameters)
        log(.changeRegistrationSent, parameters)
    }

    /// Handles the response to ChangeRegistration; a refusal leaves the registration unchanged.
    mutating func takeChange(_ response: Value) {
        let result: Value = ["resultCode": response["resultCode"] ?? .null]
        guard response["success"] != true else { return log(.changeRegistrationAccepted, result) }
        log(.changeRegistrationRefused, result)
        rules.undo(to: session?.languageBefore, in: &configuration)
        let refusals = (session?.refusals ?? 0) + 1
        session?.refusals = refusals
        switch rules.reaction(toRefusal: refusals) {
        case .continues: break
        case .sendsAgain: if let change = session?.change { sendChange(change) }
        case .unregisters: stop(Stop(code: 3, isHurried: false))
        case .closes: leave("the head unit refused the change")
        case .crashes: act(.crash)
        case .callsNoHandler: screen.callsNoHandlers = true
        }
    }
}
