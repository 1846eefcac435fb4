import Wire

// MARK: - Resumption (SDL-0183)

extension SDLAppLifecycle {
    /// Looks for the data stored for this app and the head unit that has granted the session.
    mutating func readArchive(of acknowledgement: Value) {
        resumption.begin(
            ArchiveKey(
                appID: configuration.appID, acknowledgement: acknowledgement,
                address: headUnitAddress))
        state = .readingArchive
        if let reading = resumption.readingInMemory {
            consume(reading)
        } else if let key = resumption.key {
            act(.readArchive(key))
        }
    }

    /// Handles the archive that was read and registers, with the stored hash if there is one.
    mutating func consume(_ reading: ArchiveReading) {
        guard state == .readingArchive else { return }
        do throws(ArchiveError) {
            try resumption.consume(reading)
            if let stored = resumption.stored {
                log(.archiveRead, ["hashID": .string(stored.hashID)])
            } else {
                log(.archiveNone)
            }
        } catch {
            log(.archiveUnusable, ["reason": .string(error.description)])
            if resumption.rules.crashes(on: reading) { return act(.crash) }
        }
        register()
    }

    /// Starts a session's managers with the data that the head unit has restored.
    ///
    /// It also notifies the delegate that there is data to resume.
    mutating func beginManagers(_ outcome: ResumptionManager.Outcome) {
        let start = resumption.rules.start(
            outcome, stored: resumption.stored?.data, registration: registrations)
        screen = ScreenManager(rules: resumption.rules, start)
        if let data = start.set { screen.set(data) }
        switch outcome {
        case .notSent: break
        case .accepted: log(.hashAccepted)
        case .refused:
            log(.hashRefused, ["resultCode": .text(session?.resultCode)])
            if resumption.rules.removesRefusedArchive, let key = resumption.key {
                act(.removeArchive(key))
                log(.archiveRemoved)
            }
        }
        if resumption.rules.tellsDelegate(of: outcome) { tellDelegate() }
        storeData(at: nil)
    }

    private mutating func tellDelegate() {
        session?.isResumed = true
        let waiting = screen.waiting.value(.archive)
        log(.dataDidResume, ["waiting": waiting])
        guard let delegate = configuration.resumptionDelegate else { return }
        send(delegate.send)
        guard !delegate.inspect.isEmpty else { return }
        let lines = delegate.inspect.enumerated().map { index, path in
            Value.Member("alertText\(index + 1)", .string(waiting[path]?.stringValue ?? ""))
        }
        request("Alert", .object(lines))
    }

    mutating func takeHashChange(_ parameters: Value) {
        guard let hash = parameters["hashID"]?.stringValue, !hash.isEmpty else { return }
        switch state {
        case .registered:
            resumption.consume(hash: hash)
            log(.hashChanged, ["hashID": .string(hash)])
        case .unregistering, .endingService:
            // The data is already stored; from now on it belongs to this hash.
            resumption.consume(hash: hash)
            log(.hashChanged, ["hashID": .string(hash)])
            storeData(at: .stop)
        default: break
        }
    }

    /// Stores the latest hash and the data when the managers disconnect.
    ///
    /// - Parameter ending: How they disconnect; `nil` if they have just connected.
    mutating func storeData(at ending: ResumptionManager.Ending?) {
        guard let (key, bytes) = resumption.archive(of: screen, at: ending) else { return }
        if resumption.rules.keepsInMemory {
            resumption.keep(bytes, for: key)
        } else {
            act(.storeArchive(key, bytes))
        }
        log(.archiveStored, ["hashID": .text(resumption.hashID)])
    }
}

// MARK: - The managers

extension SDLAppLifecycle {
    /// Handles a new level.
    ///
    /// The developer sets the data once the app is visible or audible, and the managers send.
    mutating func levelChanged(to level: String) {
        guard level != "NONE" else { return }
        if session?.hasSetManagers == false {
            session?.hasSetManagers = true
            let other = session?.isResumed == true ? configuration.resumptionDelegate?.set : nil
            if let data = other ?? configuration.managers { set(data) }
        }
        advanceManagers()
    }

    /// Carries out a control request to the managers.
    mutating func setManagers(
        _ method: SDLAppControl, _ params: DocumentNode
    ) throws(ConfigurationError) {
        if method == .present {
            screen.present(try params.choiceTexts())
        } else {
            set(try params.managersData(.configuration))
        }
        advanceManagers()
    }

    private mutating func set(_ data: ManagersData) {
        screen.set(data)
        log(.managersSet)
    }

    /// Sends the managers' next request, if the level allows it.
    private mutating func advanceManagers() {
        guard state == .registered, let session, let level = session.hmiLevel, level != "NONE",
            let step = screen.nextStep()
        else { return }
        let firstVersionWithChecksum = 5
        let request = StepRequest(
            step, sendsChecksum: session.rpcVersion >= firstVersionWithChecksum)
        let id = self.request(request.function, request.parameters, bulk: request.bulk)
        if let id { screen.began(step, as: id) }
    }

    mutating func finishStep(_ response: Value) {
        guard let step = screen.inFlight?.step else { return }
        let isRefused = screen.finish(step, response)
        switch step {
        case _ where isRefused:
            log(.itemRefused, ["resultCode": response["resultCode"] ?? .null])
        case .putFile(let artwork):
            log(.fileUploaded, ["name": .string(artwork.name)])
        case .performInteraction:
            if let id = response["choiceID"]?.integerValue {
                call(screen.activation(ofChoice: Int(id)))
            }
        default: break
        }
        advanceManagers()
    }

    // MARK: Handlers

    mutating func takeCommand(_ parameters: Value) {
        guard let id = parameters["cmdID"]?.integerValue else { return }
        call(screen.activation(ofCommand: Int(id)))
    }

    mutating func takeButtonPress(_ parameters: Value) {
        guard parameters["buttonName"] == "CUSTOM_BUTTON",
            let id = parameters["customButtonID"]?.integerValue
        else { return }
        call(screen.activation(ofSoftButton: Int(id)))
    }

    private mutating func call(_ activation: ScreenManager.Activation?) {
        guard let activation else { return log(.handlerMissing) }
        let item: Value = ["item": .string(activation.item)]
        guard let handler = activation.handler else { return log(.handlerMissing, item) }
        for _ in 0..<screen.rules.callsPerActivation {
            log(.handlerCalled, item)
            send(handler)
        }
    }

    private mutating func send(_ handler: Handler) {
        for member in handler.requests { request(member.name, member.value) }
    }
}
