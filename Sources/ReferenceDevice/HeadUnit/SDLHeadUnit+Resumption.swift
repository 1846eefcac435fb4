import SDL
import Wire

/// What is kept of apps, and what comes of the hash of a registration (RPC specification,
/// RegisterAppInterface.hashID and OnHashChange).
extension SDLHeadUnit {
    /// What comes of the hash of a registration.
    enum Resumption: Hashable {
        case notAsked, accepted, refused
    }

    /// Serves a request that may change what is kept of an app.
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

    /// Whether a file, or a part of one, has another checksum than the request says.
    private func isCorrupted(_ request: SDL.RPC) -> Bool {
        guard request.functionName == "PutFile",
            let told = request.parameters["crc"]?.integerValue
        else { return false }
        return told != Int64(CRC32.of(request.bulk))
    }

    /// Looks at the hash of a registration; what is kept goes unless it is accepted.
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

    /// What follows the answer to a registration: the level as it was, and a new hash.
    mutating func goOn(
        _ app: HeadUnitService.RegisteredApp, after resumption: Resumption, _ session: UInt8,
        on link: HeadUnitLink
    ) {
        if memories[app.id]?.isInFront == true, mutant != .forgetsLevel {
            tellStatus("FULL", session, on: link)
        }
        if resumption == .accepted { changeHash(of: app, session, on: link) }
    }

    /// An app has unregistered: nothing of it is kept.
    mutating func forget(_ app: HeadUnitService.RegisteredApp?) {
        guard let app, mutant != .keepsAfterUnregistering else { return }
        memories[app.id] = nil
    }

    /// A connection is lost, or its end was not announced: what is kept of its apps stays.
    mutating func lose(_ link: HeadUnitLink) {
        guard mutant == .forgetsWithTheLink else { return }
        for service in connections[link]?.services.values.map(\.self) ?? [] {
            if let app = service.app { memories[app.id] = nil }
        }
    }

    // MARK: - The ignition

    /// What outlives the process; `nil` if nothing does.
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

    /// Takes what an earlier life has kept; what was in front then is not any more.
    mutating func remember(_ kept: Value) {
        lives = (kept["lives"]?.integerValue ?? 0) + 1
        hashCount = Int(kept["hashCount"]?.integerValue ?? 0)
        for app in kept["apps"]?.objectValue ?? [] {
            memories[app.name] = HeadUnitMemory(kept: app.value)
        }
    }

    /// Tells an app the hash of what it has set.
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
