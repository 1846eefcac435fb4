import Wire

/// The decisions of resumption (SDL-0183, "Proposed solution").
///
/// Each decision is in one place, together with the mistakes that mutants make there.
struct ResumptionRules: Sendable, Hashable {
    let mutant: SDLAppMutant?

    // MARK: 1. The owner of the data (RHM-12)

    func storageKey(_ key: ArchiveKey) -> ArchiveKey {
        var key = key
        switch mutant {
        case .usesOtherAppsData: key.appID = "any"
        case .usesOtherHeadUnitsData: key.headUnit = []
        case .usesDataOfSameModel:
            key.headUnit.removeAll { ["modelYear", "trim"].contains($0.name) }
        default: break
        }
        return key
    }

    // MARK: 2. What is stored, and when (RHM-1, RHM-9, RHM-10, RHM-11)

    /// Whether data is stored at the end of a session; `nil` means its beginning.
    func stores(at ending: ResumptionManager.Ending?) -> Bool {
        switch mutant {
        case .storesOnConnect: ending == nil
        case .forgetsOnStop: ending != nil && ending != .stop
        case .forgetsOnLinkLoss: ending != nil && ending != .linkLoss
        case .forgetsOnUnregistration: ending != nil && ending != .unregistered
        case .forgetsOnEndOfService: ending != nil && ending != .endOfService
        default: ending != nil
        }
    }

    /// Returns the hash to store: the last one of the head unit, or the one that it accepted.
    func latest(of hashes: [String], after accepted: String?) -> String? {
        switch mutant {
        case .trimsHash: (hashes.last ?? accepted)?.trimmed
        case .sendsFirstHash: hashes.first ?? accepted
        case .sendsHashBeforeLast: hashes.dropLast().last ?? hashes.last ?? accepted
        default: hashes.last ?? accepted
        }
    }

    /// Returns the data to store.
    ///
    /// - Parameters:
    ///   - held: The data that the head unit holds.
    ///   - waiting: The part of it that waits.
    ///   - desired: The data that the developer has set in this session.
    ///   - before: The data stored before, if the head unit accepted its hash.
    func stored(
        _ held: ManagersData, waiting: ManagersData, desired: ManagersData, before: ManagersData?
    ) -> ManagersData {
        switch mutant {
        case .dropsWaitingData where desired.isEmpty && !waiting.isEmpty: return ManagersData()
        case .storesFirstLifeOnly: return before ?? held
        case .storesClearedText:
            var held = held
            for (field, value) in before?.screen ?? [:]
            where (held.screen[field] ?? .nothing).isEmptyText { held.screen[field] = value }
            return held
        default: return mutant?.forgottenKind.map(held.without) ?? held
        }
    }

    var keepsInMemory: Bool { mutant == .keepsInMemory }

    // MARK: 3. The effect of an unusable archive (RHM-9)

    /// Whether an archive that cannot be read or parsed ends the process.
    func crashes(on reading: ArchiveReading) -> Bool {
        switch reading {
        case .unreadable: mutant == .crashesOnUnreadableArchive
        case .bytes: mutant == .crashesOnTruncatedArchive
        case .none: false
        }
    }

    var readsAnyVersion: Bool { mutant == .trustsFutureVersion }

    /// Returns what a mutant extracts from bytes that are no valid archive.
    func salvaged(_ bytes: [UInt8]) -> ResumptionArchive? {
        if mutant == .sendsEmptyHashOnDamage {
            return ResumptionArchive(hashID: "", data: ManagersData())
        }
        guard mutant == .salvagesTruncatedArchive else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        guard let name = parts.firstIndex(of: "hashID"), parts.indices.contains(name + 3) else {
            return nil
        }
        return ResumptionArchive(hashID: String(parts[name + 2]), data: ManagersData())
    }

    // MARK: 4. The content of the registration (RHM-2, RHM-3)

    /// Returns the hash for the n-th session of the process.
    func hashSent(_ stored: String?, session: Int) -> String? {
        switch mutant {
        case .neverSendsHash: nil
        case .sendsHashTwice where session > 2: nil
        case .sendsEmptyHash: stored ?? ""
        default: stored
        }
    }

    // MARK: 5. The start of the session (RHM-4, RHM-5, RHM-7, RHM-8)

    /// Whether a registration's result means that the hash was accepted.
    ///
    /// - Parameter hasResumed: Whether one was accepted before, in the same process.
    func accepts(_ resultCode: String?, hasResumed: Bool) -> Bool {
        resultCode == "SUCCESS"
            || resultCode == "WARNINGS" && mutant != .takesWarningsForRefusal
            || hasResumed && mutant == .trustsLaterHashes
    }

    /// The data that the managers start with.
    struct Start: Sendable {
        /// The data that the head unit holds.
        var held = ManagersData()
        /// The part of it that waits.
        var waiting = ManagersData()
        /// The data that is set without the developer.
        var set: ManagersData?
        /// Names of images that are treated as uploaded.
        var files: Set<String> = []
        /// Whether no handler is called.
        var callsNoHandlers = false
    }

    /// Returns what the managers start with after the n-th registration, with the stored data.
    func start(
        _ outcome: ResumptionManager.Outcome, stored: ManagersData?, registration: Int
    ) -> Start {
        guard let stored else { return Start() }
        switch outcome {
        case .notSent: return Start()
        case .refused:
            switch mutant {
            case .noResendAfterRefusal: return Start(held: stored, waiting: stored)
            case .resendsAllButChoices:
                var choices = ManagersData()
                choices.preloadedChoices = stored.preloadedChoices
                return Start(held: choices)
            case .keepsTextsAfterRefusal:
                var texts = ManagersData()
                texts.screen = stored.screen.filter {
                    [.textField2, .textField3, .textField4].contains($0.key)
                }
                return Start(held: texts)
            case .keepsVoiceCommandsAfterRefusal:
                var spoken = ManagersData()
                spoken.voiceCommands = stored.voiceCommands
                return Start(held: spoken)
            case .keepsFilesAfterRefusal:
                return Start(files: stored.imageNames)
            case .losesCallbackAfterRefusal: return Start(callsNoHandlers: true)
            default: return Start()
            }
        case .accepted:
            var start = accepted(stored)
            if registration > 1, mutant == .resendsAfterReconnection {
                start.held = ManagersData()
            }
            start.callsNoHandlers = registration > 1 && mutant == .losesCallbackAfterReconnection
            return start
        }
    }

    private func accepted(_ stored: ManagersData) -> Start {
        var start = Start(held: stored, waiting: stored)
        switch mutant {
        case .sendsAll: start.held = ManagersData()
        case .setsDataBack:
            start.held = ManagersData()
            start.set = stored
        case .resendsOneMatch: start.held.menu = stored.menu.map { Array($0.dropFirst()) }
        case .resendsChoices: start.held.preloadedChoices = nil
        default: break
        }
        return start
    }

    /// Whether the delegate is notified.
    func tellsDelegate(of outcome: ResumptionManager.Outcome) -> Bool {
        switch mutant {
        case .noDelegate: false
        case .tellsDelegateAlways: outcome != .refused
        default: outcome == .accepted
        }
    }

    /// Whether the archive is removed when the head unit refuses its hash.
    var removesRefusedArchive: Bool { !keepsRefusedHash }

    var keepsRefusedHash: Bool { mutant == .keepsRefusedHash }

    // MARK: 6. The effect of setting data (RHM-5, RHM-6)

    /// Returns the data that is really set when the developer sets data of which a part waits.
    ///
    /// - Parameters:
    ///   - before: The data set before in this session.
    ///   - stored: The data that the head unit held when the session began.
    func setting(
        _ data: ManagersData, waiting: ManagersData, before: ManagersData, stored: ManagersData,
        held: inout ManagersData
    ) -> ManagersData {
        switch mutant {
        case .ignoresLaterData where !before.isEmpty && !stored.isEmpty: return ManagersData()
        case .matchesFormerData:
            held.screen.merge(stored.screen.filter { data.screen[$0.key] == $0.value }) { $1 }
            return data
        case .ignoresDifference:
            return data.untouched(by: differences(of: data, from: waiting))
        case .sendsAllWhenDifferent:
            let different = differences(of: data, from: waiting)
            if !different.screen.isEmpty { held.screen = [:] }
            held = held.untouched(by: different)
            return data
        case .resendsMenuWithText:
            if !differences(of: data, from: waiting).screen.isEmpty { held.menu = nil }
            return data
        default: return unnoticed(data, waiting: waiting)
        }
    }

    /// Whether setting that data sends an empty Show.
    func showsNothing(_ data: ManagersData, waiting: ManagersData) -> Bool {
        mutant == .showsNothing && !data.isEmpty && !waiting.isEmpty
            && differences(of: data, from: waiting).isEmpty
    }

    /// Whether setting that data leaves no handler connected.
    func disconnects(_ data: ManagersData, waiting: ManagersData) -> Bool {
        mutant == .losesCallbackBesideDifference
            && !differences(of: data, from: waiting).isEmpty
    }

    /// Returns the set data that differs from the data that waits in the same place.
    private func differences(
        of data: ManagersData, from waiting: ManagersData
    ) -> ManagersData {
        func differ(_ new: [Value]?, _ old: [Value]?) -> Bool {
            new != nil && old != nil && new != old
        }
        var different = data
        different.screen = data.screen.filter { field, value in
            waiting.screen[field].map { $0.value(.archive) != value.value(.archive) } ?? false
        }
        if !differ(data.menu?.map(\.deepSignature), waiting.menu?.map(\.deepSignature)) {
            different.menu = nil
        }
        if !differ(data.voiceCommands?.map(\.signature), waiting.voiceCommands?.map(\.signature)) {
            different.voiceCommands = nil
        }
        if !differ(
            data.softButtonObjects?.map(\.signature), waiting.softButtonObjects?.map(\.signature))
        {
            different.softButtonObjects = nil
        }
        if !differ(
            data.preloadedChoices?.map(\.signature), waiting.preloadedChoices?.map(\.signature))
        {
            different.preloadedChoices = nil
        }
        return different
    }

    var deletesRemovedItems: Bool { mutant != .keepsRemovedCell }

    /// Returns the first cell that the head unit holds and that cannot stay.
    func firstToDelete(_ held: [MenuCell], _ wanted: [MenuCell]) -> MenuCell? {
        guard deletesRemovedItems else { return nil }
        let pairs = kept(held, wanted)
        let staying = Set(pairs.map(\.old))
        if let index = held.indices.first(where: { !staying.contains($0) }) { return held[index] }
        for (old, new) in pairs {
            guard let cells = held[old].subCells, let below = wanted[new].subCells,
                mutant != .ignoresSubCells || cells.isEmpty
            else { continue }
            if let deleted = firstToDelete(cells, below) { return deleted }
        }
        return nil
    }

    /// Returns the first cell that the head unit lacks, and its place.
    func firstToAdd(
        _ held: [MenuCell], _ wanted: [MenuCell], below parent: Int = 0
    ) -> (MenuCell, MenuPlace)? {
        let pairs = kept(held, wanted)
        for (index, cell) in wanted.enumerated() {
            guard let pair = pairs.first(where: { $0.new == index }) else {
                return (cell, MenuPlace(parent: parent, position: index))
            }
            let old = held[pair.old]
            guard let below = cell.subCells,
                mutant != .ignoresSubCells || (old.subCells ?? []).count < below.count
            else { continue }
            if let added = firstToAdd(old.subCells ?? [], below, below: old.id) { return added }
        }
        return nil
    }

    /// Returns the cells that can stay where they are.
    private func kept(_ held: [MenuCell], _ wanted: [MenuCell]) -> [(old: Int, new: Int)] {
        let old = held.map(menuSignature)
        let new = wanted.map(menuSignature)
        // A moved cell is deleted and added again, which `keepsRemovedCell` cannot do.
        guard mutant == .ignoresOrder || mutant == .keepsRemovedCell else {
            return CommonSubsequence(old, new).pairs
        }
        var free = Set(old.indices)
        return new.indices.compactMap { index in
            guard let match = free.sorted().first(where: { old[$0] == new[index] }) else {
                return nil
            }
            free.remove(match)
            return (match, index)
        }
    }

    private func menuSignature(_ cell: MenuCell) -> Value {
        switch mutant {
        case .ignoresImageNames: cell.signature.without(["icon"])
        case .ignoresCellVoiceCommands: cell.signature.without(["voiceCommands"])
        default: cell.signature
        }
    }

    // MARK: 7. Equality of choices (RHM-7)

    func choiceSignature(_ choice: ChoiceCell) -> Value {
        let images = ["artwork", "secondaryArtwork"]
        return switch mutant {
        case .matchesChoicesByText: choice.signature.without(images + ["voiceCommands"])
        case .matchesChoicesWithoutImages: choice.signature.without(images)
        case .matchesChoicesWithoutVoiceCommands: choice.signature.without(["voiceCommands"])
        case .comparesFirstChoiceSynonym: choice.firstWords.signature
        default: choice.signature
        }
    }

    /// Returns the value by which a voice command is identified.
    func voiceSignature(_ command: VoiceCommand) -> Value {
        guard mutant == .comparesFirstSynonym else { return command.signature }
        return VoiceCommand(voiceCommands: Array(command.voiceCommands.prefix(1))).signature
    }

    /// Whether refused items count as present on the head unit.
    var keepsRefusedItems: Bool { mutant == .storesRefusedItems }

    // MARK: 8. Whether a handler is called, and how often (RHM-5)

    var callsPerActivation: Int { mutant == .callsHandlersTwice ? 2 : 1 }

    func connectsHandler(of kind: DataKind, isResumed: Bool) -> Bool {
        switch (mutant, kind) {
        case (.losesCallback, .menu), (.losesVoiceCallback, .voiceCommands),
            (.losesButtonCallback, .softButtons):
            !isResumed
        default: true
        }
    }
}

extension Value {
    /// This object without the members of these names.
    fileprivate func without(_ names: [String]) -> Value {
        .object((objectValue ?? []).filter { !names.contains($0.name) })
    }
}
