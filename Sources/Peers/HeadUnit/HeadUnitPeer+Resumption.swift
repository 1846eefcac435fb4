import Wire

/// What the head unit keeps of apps, and what it makes of a hash (SDL-0183, sdl_core `resumption`).
extension HeadUnitPeer {
    /// What comes of the hash in a registration.
    enum Resumption: Hashable {
        /// There was none, or it is empty.
        case notAsked
        /// Everything that is kept is there again.
        case accepted
        /// Nothing is brought back, for this reason.
        case refused(String)
    }

    /// Under what the app of a registration is known here.
    func memoryKey(_ registration: Value) -> AppMemory.Key {
        AppMemory.Key(
            appID: registration["appID"]?.stringValue ?? "", vehicle: settings.vehicle.jsonText())
    }

    /// What the head unit makes of the hash in a registration.
    func resumption(_ registration: Value) -> Resumption {
        guard let hash = registration["hashID"]?.stringValue, !hash.isEmpty else {
            return .notAsked
        }
        guard settings.acceptsResumption else { return .refused("Resumption is refused") }
        guard let memory = memories[memoryKey(registration)], let known = memory.hashID else {
            return .refused("No data is kept under that hashID")
        }
        guard known == hash else { return .refused("The kept data has another hashID") }
        let missing = memory.imagesOfItems.subtracting(memory.files.keys)
        guard missing.isEmpty else {
            return .refused("The image \(missing.sorted()[0]) of the kept data is gone")
        }
        return .accepted
    }

    /// What is known of the app of a session.
    func memory(of session: HeadUnitSession) -> AppMemory {
        session.app.flatMap { memories[$0.key] } ?? AppMemory()
    }

    /// An app is registered: what is known of it is there again, or gone.
    ///
    /// - Returns: Whether a new hash is due.
    mutating func begin(_ app: RegisteredApp, _ registration: Value) -> Bool {
        guard resumption(registration) == .accepted else {
            memories[app.key] = (memories[app.key] ?? AppMemory()).afterNewStart()
            return settings.hashChanges == .all
        }
        return true
    }

    /// Takes in a request of an app that has been answered with success.
    ///
    /// - Returns: Whether a new hash is due.
    mutating func remember(_ function: String, _ parameters: Value, of app: RegisteredApp) -> Bool {
        let isShownAnew = memories[app.key, default: AppMemory()].take(function, parameters)
        if settings.keepsFiles, function == "PutFile",
            let name = parameters["syncFileName"]?.stringValue
        {
            memories[app.key]?.files[name]?.isPersistent = true
        }
        return ResumableState.isChanged(by: function, parameters)
            || isShownAnew && settings.hashChanges == .all
    }

    /// The session of an app has ended, or its registration.
    ///
    /// - Parameter unregistered: Whether the app itself wished so; then nothing but files is kept.
    mutating func end(_ app: RegisteredApp?, unregistered: Bool = false) {
        guard let app, let memory = memories[app.key] else { return }
        memories[app.key] =
            unregistered
            ? memory.afterNewStart()
            : memory.afterSession(keepingShown: settings.hashChanges == .all)
    }

    /// Every session of a connection has ended.
    mutating func endApps(on connection: PeerConnection) {
        for session in connections[connection]?.sessions.values.map(\.self) ?? [] {
            end(session.app)
        }
    }

    /// A new hash for the data of an app, and the notification that tells it.
    mutating func changeHash(
        of app: RegisteredApp, session: UInt8, on connection: PeerConnection
    ) -> [PeerCommand] {
        let hash = nextHash()
        memories[app.key, default: AppMemory()].hashID = hash
        guard settings.hashChanges != .none else { return [] }
        return notify("OnHashChange", ["hashID": .string(hash)], session, on: connection)
    }

    /// Drops what is kept of every app; of those that are registered it goes with their session.
    mutating func forgetApps() {
        let live = Set(
            connections.values.flatMap { $0.sessions.values.compactMap { $0.app?.key } })
        memories = memories.filter { live.contains($0.key) }.mapValues { memory in
            var memory = memory
            memory.hashID = nil
            memory.files = memory.files.mapValues {
                AppMemory.File(type: $0.type, isPersistent: false)
            }
            return memory
        }
    }

    /// The ignition goes off: every app is told, then every connection is closed.
    mutating func turnIgnitionOff() -> [PeerCommand] {
        var commands: [PeerCommand] = []
        for connection in connections.live {
            let sessions = connections[connection]?.sessions.values.sorted { $0.id < $1.id } ?? []
            for session in sessions where session.app != nil {
                guard
                    let message = notification(
                        "OnAppInterfaceUnregistered", ["reason": "IGNITION_OFF"], in: session)
                else { continue }
                commands += transmit(message, on: connection, answering: nil)
            }
            commands.append(.close(connection))
            forget(connection)
        }
        return commands
    }
}
