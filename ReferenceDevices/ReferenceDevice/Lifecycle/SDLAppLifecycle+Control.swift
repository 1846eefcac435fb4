import Wire

/// The methods of an SDL app's control channel.
enum SDLAppControl: String, CaseIterable {
    case stop, background, foreground, state, set, managers, present, startApp
}

// MARK: - The control channel

extension SDLAppLifecycle {
    /// Carries out one line of the control channel and answers it.
    mutating func consume(controlLine line: String) {
        do throws(ControlError) {
            let request = try ControlRequest(line: line)
            if let method = SDLAppControl(rawValue: request.method) {
                perform(method, request)
            } else {
                answer(request.unknownMethod(among: SDLAppControl.self))
            }
        } catch {
            answer(error.answer)
        }
    }

    private mutating func perform(_ method: SDLAppControl, _ request: ControlRequest) {
        switch method {
        case .stop:
            answer(request.answer(true))
            stop(Stop(code: 0, isHurried: false))
        case .background, .foreground:
            isInBackground = method == .background
            log(isInBackground ? .background : .foreground)
            answer(request.answer(true))
        case .state:
            answer(request.answer(stateValue))
        case .managers, .present:
            do throws(ConfigurationError) {
                guard state == .registered else {
                    return answer(request.refusal(.invalidRequest, "the app is not registered"))
                }
                try setManagers(method, DocumentNode(path: "", value: request.params ?? .null))
                answer(request.answer(true))
            } catch {
                answer(request.refusal(.invalidParams, error.description))
            }
        case .set:
            do throws(ConfigurationError) {
                try set(request.params ?? .object([]))
                answer(request.answer(configuration.value))
            } catch {
                answer(request.refusal(.invalidParams, error.description))
            }
        case .startApp:
            do throws(ConfigurationError) {
                try startApp(request.params ?? .object([]))
                answer(request.answer(true))
            } catch {
                answer(request.refusal(.invalidParams, error.description))
            }
        }
    }

    /// Changes the configuration; the transport to head units cannot be changed.
    private mutating func set(_ document: Value) throws(ConfigurationError) {
        var changed = configuration
        try changed.merge(document)
        guard (changed.transport, changed.iap) == (configuration.transport, configuration.iap)
        else {
            throw ConfigurationError(
                key: changed.iap == configuration.iap ? "transport" : "iap",
                problem: "cannot be changed while the app runs")
        }
        configuration = changed
        log(.configurationSet)
    }

    /// Starts another app with this configuration, except for the members of a document.
    private mutating func startApp(_ document: Value) throws(ConfigurationError) {
        var second = configuration
        try second.merge(document)
        guard second.appID != configuration.appID else {
            throw ConfigurationError(
                key: "appID", problem: "another app needs one that is not \"\(second.appID)\"")
        }
        log(.otherAppStarted, ["appID": .string(second.appID)])
        act(.startApp(second.value))
    }

    private mutating func answer(_ answer: Value?) {
        if let answer { act(.answer(answer)) }
    }

    /// The answer to `state`.
    private var stateValue: Value {
        [
            "state": .string(state.name),
            "background": .bool(isInBackground),
            "registrations": .integer(Int64(registrations)),
            "headUnitLanguage": .text(session?.headUnitLanguage),
            "headUnitDisplayLanguage": .text(session?.headUnitDisplayLanguage),
            "hmiLevel": .text(session?.hmiLevel),
            "resumption": [
                "hashID": .text(resumption.hashID),
                "isWaiting": .bool(!screen.waiting.isEmpty),
                "waiting": screen.waiting.value(.archive),
                "held": screen.held.value(.archive),
            ],
            "configuration": configuration.value,
        ]
    }
}

extension SDLAppLifecycle.State {
    /// The state in one word.
    fileprivate var name: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .startingService: "startingService"
        case .readingArchive: "readingArchive"
        case .registering: "registering"
        case .registered: "registered"
        case .unregistering: "unregistering"
        case .endingService: "endingService"
        case .pausing: "pausing"
        case .refused: "refused"
        case .exited: "exited"
        }
    }
}
