import PeerKit
import Wire

/// The data that a head unit keeps of apps, and its use of hashes.
///
/// See SDL-0183 and sdl_core `resumption`.
extension HeadUnitPeer {
    /// The result of the hash in a registration.
    enum Resumption: Hashable {
        /// There is no hash, or it is empty.
        case notAsked
        /// All kept data is restored.
        case accepted
        /// No data is restored, for the given reason.
        case refused(String)
    }

    /// Returns the key of the app of a registration.
    func memoryKey(_ registration: Value) -> AppMemory.Key {
        AppMemory.Key(
            appID: registration["appID"]?.stringValue ?? "", vehicle: settings.vehicle.jsonText())
    }

    /// Returns the result of the hash in a registration.
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

    /// Returns the data of the app of a session.
    func memory(of session: HeadUnitSession) -> AppMemory {
        session.app.flatMap { memories[$0.key] } ?? AppMemory()
    }

    /// Restores or clears the data of an app that has registered.
    ///
    /// - Returns: Whether a new hash must be sent.
    mutating func begin(_ app: RegisteredApp, _ registration: Value) -> Bool {
        guard resumption(registration) == .accepted else {
            memories[app.key] = (memories[app.key] ?? AppMemory()).afterNewStart()
            return settings.hashChanges == .all
        }
        return true
    }

    /// Stores the effect of an app's request that was answered with success.
    ///
    /// - Returns: Whether a new hash must be sent.
    mutating func remember(_ function: String, _ parameters: Value, of app: RegisteredApp) -> Bool {
        let isShownAnew = memories[app.key, default: AppMemory()].consume(function, parameters)
        if settings.keepsFiles, function == "PutFile",
            let name = parameters["syncFileName"]?.stringValue
        {
            memories[app.key]?.files[name]?.isPersistent = true
        }
        return ResumableState.isChanged(by: function, parameters)
            || isShownAnew && settings.hashChanges == .all
    }

    /// Keeps the data of an app whose session or registration has ended.
    ///
    /// - Parameter unregistered: Whether the app itself unregistered; then only persistent files
    ///   are kept.
    mutating func end(_ app: RegisteredApp?, unregistered: Bool = false) {
        guard let app, let memory = memories[app.key] else { return }
        memories[app.key] =
            unregistered
            ? memory.afterNewStart()
            : memory.afterSession(keepingShown: settings.hashChanges == .all)
    }

    /// Keeps the data of the apps in all sessions of a connection, because the sessions have ended.
    mutating func endApps(on connection: PeerConnection) {
        for session in connections[connection]?.sessions.values.map(\.self) ?? [] {
            end(session.app)
        }
    }

    /// Assigns a new hash to the data of an app, and returns the notification with the hash.
    mutating func changeHash(
        of app: RegisteredApp, session: UInt8, on connection: PeerConnection
    ) -> [PeerCommand] {
        let hash = nextHash()
        memories[app.key, default: AppMemory()].hashID = hash
        guard settings.hashChanges != .none else { return [] }
        return notify("OnHashChange", ["hashID": .string(hash)], session, on: connection)
    }

    /// Deletes the data of every app; for registered apps it is deleted when their session ends.
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

    /// Switches the ignition off: notifies every app, then closes every connection.
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
