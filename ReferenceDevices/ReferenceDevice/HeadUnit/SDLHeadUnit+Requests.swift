import SDL
import Wire

/// Requests of apps (SDL RPC specification).
extension SDLHeadUnit {
    /// The requests that a registered app is answered with SUCCESS; others are not supported.
    private static let supported: Set<String> = [
        "SetGlobalProperties", "ResetGlobalProperties", "AddCommand", "DeleteCommand",
        "AddSubMenu", "DeleteSubMenu", "CreateInteractionChoiceSet", "DeleteInteractionChoiceSet",
        "Alert", "Show", "Speak", "SetMediaClockTimer", "SubscribeButton", "UnsubscribeButton",
        "ChangeRegistration", "PutFile", "DeleteFile", "ListFiles", "SetAppIcon",
        "SetDisplayLayout",
    ]

    /// Answers a request; ignores one of an unknown session.
    mutating func answer(_ request: SDL.RPC, _ header: SDL.Header, on link: HeadUnitLink) {
        guard let service = service(of: header, on: link) else { return }
        if request.correlationID < 0, mutant != .takesNegativeIDs {
            return refuse(request, "INVALID_ID", header.sessionID, on: link)
        }
        switch (request.functionName, service.app) {
        case ("RegisterAppInterface", nil)
        where mutant == .registersOnlyOnce && service.hasUnregistered:
            refuse(request, "APPLICATION_REGISTERED_ALREADY", header.sessionID, on: link)
        case ("RegisterAppInterface", nil):
            register(request, header.sessionID, on: link)
        case ("RegisterAppInterface", _) where mutant == .registersAgain:
            register(request, header.sessionID, on: link)
        case ("RegisterAppInterface", _):
            refuse(request, "APPLICATION_REGISTERED_ALREADY", header.sessionID, on: link)
        case (_, nil)
        where mutant != .servesUnregistered
            && !(mutant == .servesAfterUnregistering && service.hasUnregistered):
            refuse(request, "APPLICATION_NOT_REGISTERED", header.sessionID, on: link)
        case ("UnregisterAppInterface", let app):
            connections[link]?.services[header.sessionID]?.app = nil
            connections[link]?.services[header.sessionID]?.hasUnregistered = true
            forget(app)
            if mutant == .unregistersAll { unregisterAll() }
            log(.unregistered, link, [.init("appName", .string(app?.name ?? ""))])
            succeed(request, header.sessionID, on: link)
        case _ where failsOn(request, on: link): break
        case (let function, _?)
        where function != SDL.RPC.unknownFunction && isInvalid(request):
            refuse(request, "INVALID_DATA", header.sessionID, on: link)
        case ("ChangeRegistration", _?) where mutant == .refusesChangeOfLanguage:
            refuse(request, "REJECTED", header.sessionID, on: link)
        case (let function, let app?) where Self.supported.contains(function):
            serve(request, of: app, header.sessionID, on: link)
        case (let function, nil) where Self.supported.contains(function):
            succeed(request, header.sessionID, on: link)
        case (SDL.RPC.unknownFunction, _) where mutant == .silentAboutUnknown:
            break
        case (SDL.RPC.unknownFunction, _):
            refuse(request, "INVALID_DATA", header.sessionID, on: link)
        case _ where mutant == .silentAboutUnsupported:
            break
        default:
            refuse(request, "UNSUPPORTED_REQUEST", header.sessionID, on: link)
        }
    }

    /// Whether a request lacks a mandatory parameter, or has a value that is not allowed.
    private func isInvalid(_ request: SDL.RPC) -> Bool {
        let violations = request.parameterViolations
        return switch mutant {
        case .servesIncompleteRequests: false
        case .servesWrongValues: violations.contains { $0.text.hasPrefix("the mandatory") }
        case .servesLongTexts: !violations.allSatisfy { $0.text.contains(" characters") }
        case .servesNumbersOutOfRange:
            !violations.allSatisfy {
                $0.text.contains(", allowed") && !$0.text.contains(" characters")
            }
        case .servesUnknownWords: !violations.allSatisfy { $0.text.contains("which is not a") }
        case .servesNull: !violations.allSatisfy { $0.text.contains(" is null") }
        default: !violations.isEmpty
        }
    }

    /// Returns the service of a request's session.
    private func service(of header: SDL.Header, on link: HeadUnitLink) -> HeadUnitService? {
        let services = connections[link]?.services ?? [:]
        if let service = services[header.sessionID] { return service }
        return mutant == .servesUnknownSessions ? services.values.first : nil
    }

    private mutating func unregisterAll() {
        for link in connections.keys {
            for id in (connections[link]?.services ?? [:]).keys {
                connections[link]?.services[id]?.app = nil
            }
        }
    }

    private mutating func register(
        _ request: SDL.RPC, _ session: UInt8, on link: HeadUnitLink
    ) {
        let missing = SDL.registry.message(named: request.messageName)?.fields.first {
            $0.isMandatory && $0.path.hasPrefix("params.")
                && request.parameters[String($0.path.dropFirst("params.".count))] == nil
        }
        if let missing, mutant != .takesIncompleteRegistrations {
            log(.registrationRefused, link, [.init("missing", .string(missing.path))])
            return refuse(request, "INVALID_DATA", session, on: link)
        }
        let isPlain = connections[link]?.session == nil
        if mutant == .refusesPlainRegistration && isPlain
            || mutant == .refusesAccessoryRegistration && !isPlain
        {
            return refuse(request, "DISALLOWED", session, on: link)
        }
        let app = HeadUnitService.RegisteredApp(request.parameters)
        let former = mutant == .comparesFormerLanguage ? formerLanguage : nil
        let isUnderstood =
            request.parameters["languageDesired"] == .string(former ?? configuration.language)
            && request.parameters["hmiDisplayLanguageDesired"]
                == .string(former ?? configuration.hmiDisplayLanguage)
        if mutant == .refusesOtherLanguages, !isUnderstood {
            return refuse(request, "WRONG_LANGUAGE", session, on: link)
        }
        let resumption = resume(request.parameters, app)
        if resumption == .refused, mutant == .refusesUnknownHashes {
            return refuse(request, "RESUME_FAILED", session, on: link)
        }
        connections[link]?.services[session]?.app = app
        log(.registered, link, [.init("appName", .string(app.name))])
        let isFine = isUnderstood || mutant == .anyLanguageIsFine
        let code = resumption == .refused ? "RESUME_FAILED" : "SUCCESS"
        respond(
            to: request,
            [
                .init("success", true),
                .init("resultCode", .string(isFine ? code : "WRONG_LANGUAGE")),
                .init(
                    "syncMsgVersion",
                    ["majorVersion": 8, "minorVersion": 0, "patchVersion": 0]),
                .init("language", .string(configuration.language)),
                .init("hmiDisplayLanguage", .string(configuration.hmiDisplayLanguage)),
                .init("systemSoftwareVersion", "1.0"),
            ], session, on: link)
        if mutant != .tellsNoStatus {
            tellStatus(configuration.hmiLevel, session, on: link)
            send(Self.permissions, session, on: link)
        }
        proceed(app, after: resumption, session, on: link)
    }

    /// Brings each registered app to the foreground; returns how many there are.
    mutating func activate() -> Int {
        var count = 0
        var first: (session: UInt8, link: HeadUnitLink)?
        for link in connections.keys.sorted() {
            for (id, service) in connections[link]?.services ?? [:] where service.app != nil {
                log(.activated, link)
                if let app = service.app {
                    memories[app.id, default: HeadUnitMemory()].isInFront = true
                }
                let own = (session: id, link: link)
                first = first ?? own
                let stated = mutant == .levelToFirstApp ? first ?? own : own
                tellStatus("FULL", stated.session, on: stated.link)
                count += 1
            }
        }
        return count
    }

    /// Changes the language and notifies each registered app.
    mutating func changeLanguage(to language: String) {
        formerLanguage = formerLanguage ?? configuration.language
        configuration.language = language
        configuration.hmiDisplayLanguage = language
        log(.languageChanged)
        guard mutant != .silentAboutLanguage else { return }
        let rpc = SDL.RPC(
            .notification, "OnLanguageChange", correlationID: -1,
            parameters: ["language": .string(language), "hmiDisplayLanguage": .string(language)])
        for link in connections.keys.sorted() {
            for (id, service) in connections[link]?.services ?? [:] where service.app != nil {
                send(rpc, id, on: link)
            }
        }
    }

    // MARK: - Sending

    /// The permissions of registered apps: everything that is supported, at any level.
    private static let permissions = SDL.RPC(
        .notification, "OnPermissionsChange", correlationID: -1,
        parameters: [
            "permissionItem": .array(
                supported.sorted().map { function in
                    [
                        "rpcName": .string(function),
                        "hmiPermissions": [
                            "allowed": ["FULL", "LIMITED", "BACKGROUND", "NONE"],
                            "userDisallowed": [],
                        ],
                        "parameterPermissions": ["allowed": [], "userDisallowed": []],
                    ]
                })
        ])

    mutating func tellStatus(_ level: String, _ session: UInt8, on link: HeadUnitLink) {
        let isMedia = connections[link]?.services[session]?.app?.isMedia ?? false
        let isVisible = level == "FULL" || level == "LIMITED"
        let rpc = SDL.RPC(
            .notification, "OnHMIStatus", correlationID: -1,
            parameters: [
                "hmiLevel": .string(mutant == .breaksStatus ? "NOWHERE" : level),
                "audioStreamingState": isMedia && isVisible ? "AUDIBLE" : "NOT_AUDIBLE",
                "systemContext": "MAIN",
            ])
        send(rpc, session, on: link)
    }

    mutating func succeed(_ request: SDL.RPC, _ session: UInt8, on link: HeadUnitLink) {
        var members: [Value.Member] = [
            .init("success", true), .init("resultCode", "SUCCESS"),
        ]
        let fields =
            SDL.registry.message(named: "sdl.\(request.functionName).response")?.fields
            ?? []
        if fields.contains(where: { $0.path == "params.spaceAvailable" }) {
            members.append(.init("spaceAvailable", .integer(Self.space)))
        }
        respond(to: request, members, session, on: link)
    }

    /// The free space for files, in bytes.
    private static let space: Int64 = 100_000_000

    mutating func refuse(
        _ request: SDL.RPC, _ code: String, _ session: UInt8, on link: HeadUnitLink
    ) {
        let isWrong = code == "INVALID_DATA" && !request.parameterViolations.isEmpty
        let said = isWrong && mutant == .refusesWithSuccess ? "SUCCESS" : code
        for _ in 0..<(isWrong && mutant == .answersTwice ? 2 : 1) {
            respond(
                to: request, [.init("success", false), .init("resultCode", .string(said))],
                session, on: link)
        }
    }

    private mutating func respond(
        to request: SDL.RPC, _ members: [Value.Member], _ session: UInt8, on link: HeadUnitLink
    ) {
        let isKnown = request.functionName != SDL.RPC.unknownFunction
        log(
            .requestAnswered, link,
            [.init("function", .string(request.functionName))]
                + members.filter { $0.name == "resultCode" })
        let own = Int32(truncatingIfNeeded: connections[link]?.nextMessageID ?? 1)
        let response = SDL.RPC(
            .response, isKnown ? request.functionName : "GenericResponse",
            correlationID: mutant == .countsByItself ? own : request.correlationID,
            parameters: .object(members))
        send(response, session, on: link)
    }

    mutating func send(_ rpc: SDL.RPC?, _ session: UInt8, on link: HeadUnitLink) {
        let services = connections[link]?.services ?? [:]
        guard let rpc, let service = services[session] ?? services.values.first else { return }
        let id = mutant == .answersInSessionZero ? 0 : session
        encode(on: link, version: service.version, session: id) { $0.encode(rpc) }
    }
}
