import SDL
import Wire

/// The data kept of apps, and the effect of the hash of a registration.
///
/// See the RPC specification, RegisterAppInterface.hashID and OnHashChange.
extension SDLHeadUnit {
    /// The effect of the hash of a registration.
    enum Resumption: Hashable {
        case notAsked, accepted, refused
    }

    /// Serves a request that may change the data kept of an app.
    mutating func serve(
        _ request: SDL.RPC, of app: HeadUnitService.RegisteredApp, _ session: UInt8,
        on link: HeadUnitLink
    ) {
        if isCorrupted(request), mutant != .takesCorruptedFiles {
            return refuse(request, "CORRUPTED_DATA", session, on: link)
        }
        guard let change = HeadUnitMemory.change(by: request) else {
            return succeed(request, session, on: link)
        }
        var memory = memories[app.id] ?? HeadUnitMemory()
        guard memory.items.contains(change.item) != change.isAdded else {
            return refuse(request, "INVALID_ID", session, on: link)
        }
        if change.isAdded {
            let isFull = mutant == .keepsSixteenItems && memory.items.count >= 16
            if !isFull { memory.items.insert(change.item) }
        } else {
            memory.items.remove(change.item)
        }
        memories[app.id] = memory
        succeed(request, session, on: link)
        changeHash(of: app, session, on: link)
    }

    /// Whether the checksum of a file, or of a part of one, differs from the one in the request.
    private func isCorrupted(_ request: SDL.RPC) -> Bool {
        guard request.functionName == "PutFile",
            let stated = request.parameters["crc"]?.integerValue
        else { return false }
        return stated != Int64(CRC32.of(request.bulk))
    }

    /// Examines the hash of a registration; the data is deleted unless the hash is accepted.
    mutating func resume(_ registration: Value, _ app: HeadUnitService.RegisteredApp) -> Resumption
    {
        let hash = registration["hashID"]?.stringValue ?? ""
        var memory = memories[app.id] ?? HeadUnitMemory()
        let isKnown = memory.hashID == hash && mutant != .refusesEveryHash
        let outcome: Resumption =
            hash.isEmpty ? .notAsked : isKnown || mutant == .takesAnyHash ? .accepted : .refused
        if outcome == .accepted { memory.returns += 1 }
        let isForgotten =
            mutant == .acceptsWithoutData || mutant == .keepsOnce && memory.returns > 1
        if outcome != .accepted || isForgotten {
            memory.items = []
            memory.hashID = nil
        }
        memories[app.id] = memory
        return outcome
    }

    /// Restores the app's level after the registration response, and sends a new hash.
    mutating func proceed(
        _ app: HeadUnitService.RegisteredApp, after resumption: Resumption, _ session: UInt8,
        on link: HeadUnitLink
    ) {
        if memories[app.id]?.isInFront == true, mutant != .forgetsLevel {
            tellStatus("FULL", session, on: link)
        }
        if resumption == .accepted { changeHash(of: app, session, on: link) }
    }

    /// Deletes the data of an app that has unregistered.
    mutating func forget(_ app: HeadUnitService.RegisteredApp?) {
        guard let app, mutant != .keepsAfterUnregistering else { return }
        memories[app.id] = nil
    }

    /// Handles a connection that is lost or whose end was not announced: its apps' data is kept.
    mutating func lose(_ link: HeadUnitLink) {
        guard mutant == .forgetsWithTheLink else { return }
        for service in connections[link]?.services.values.map(\.self) ?? [] {
            if let app = service.app { memories[app.id] = nil }
        }
    }

    // MARK: - The ignition

    /// The data that outlives the process; `nil` if there is none.
    var kept: Value? {
        if mutant == .forgetsWithTheIgnition || mutant == .keepsOverOneIgnition && lives > 0 {
            return .object([])
        }
        guard !memories.isEmpty else { return nil }
        return [
            "lives": .integer(lives), "hashCount": .integer(Int64(hashCount)),
            "apps": .object(memories.map { Value.Member($0.key, $0.value.kept) }),
        ]
    }

    /// Restores the data stored before a restart; no app is in the foreground any more.
    mutating func remember(_ kept: Value) {
        lives = (kept["lives"]?.integerValue ?? 0) + 1
        hashCount = Int(kept["hashCount"]?.integerValue ?? 0)
        for app in kept["apps"]?.objectValue ?? [] {
            memories[app.name] = HeadUnitMemory(kept: app.value)
        }
    }

    /// Sends an app the hash of what it has set.
    private mutating func changeHash(
        of app: HeadUnitService.RegisteredApp, _ session: UInt8, on link: HeadUnitLink
    ) {
        hashCount += 1
        let hash = "state \(hashCount)"
        memories[app.id, default: HeadUnitMemory()].hashID = hash
        guard mutant != .tellsNoHash else { return }
        let notification = SDL.RPC(
            .notification, "OnHashChange", correlationID: -1,
            parameters: ["hashID": .string(hash)])
        send(notification, session, on: link)
    }
}
