import Wire

/// Archives data, sends the hash, and decides what a session starts with (SDL-0183,
/// `SDLResumptionManager`).
struct ResumptionManager: Sendable {
    /// How a session ends for the managers.
    enum Ending: Sendable, Hashable {
        /// The app was asked to stop.
        case stop
        /// The connection was lost.
        case linkLoss
        /// The head unit has ended the service.
        case endOfService
        /// The head unit has unregistered the app.
        case unregistered
    }

    /// What became of the hash of a registration.
    enum Outcome: Sendable, Hashable {
        case notSent, accepted, refused
    }

    let rules: ResumptionRules
    /// Whose data this session is about; `nil` without a session.
    private(set) var key: ArchiveKey?
    /// What the archive had.
    private(set) var stored: ResumptionArchive?
    /// The hash of the registration.
    private(set) var sentHash: String?
    /// The hash that the head unit accepted.
    private var acceptedHash: String?
    /// The hashes that the head unit has told in this session, oldest first.
    private var newHashes: [String] = []
    /// Whether a hash was accepted in this process.
    private var hasResumed = false
    /// How many sessions this process has begun.
    private var sessions = 0
    /// Archives of a mutant that has no files.
    private var memory: [ArchiveKey: [UInt8]] = [:]

    init(rules: ResumptionRules) { self.rules = rules }

    /// The hash that would be stored now.
    var hashID: String? { rules.latest(of: newHashes, after: acceptedHash) }

    // MARK: Connection

    /// Begins a session; nothing of an earlier one is left but what is stored.
    mutating func begin(_ key: ArchiveKey) {
        self.key = rules.storageKey(key)
        sessions += 1
        stored = nil
        sentHash = nil
        acceptedHash = nil
        newHashes = []
    }

    /// What a mutant keeps in its memory in place of a file.
    var readingInMemory: ArchiveReading? {
        guard rules.keepsInMemory, let key else { return nil }
        return memory[key].map(ArchiveReading.bytes) ?? ArchiveReading.none
    }

    /// Takes what was read, and makes the hash of the registration of it.
    ///
    /// - Throws: `ArchiveError` if there is an archive that cannot be used; the registration has no
    ///   hash then.
    mutating func take(_ reading: ArchiveReading) throws(ArchiveError) {
        defer { sentHash = rules.hashSent(stored?.hashID, session: sessions) }
        guard let key else { return }
        switch reading {
        case .none: break
        case .unreadable(let reason): throw ArchiveError("cannot be read: \(reason)")
        case .bytes(let bytes):
            do {
                stored = try ResumptionArchive(
                    bytes: bytes, for: key, anyVersion: rules.readsAnyVersion)
            } catch {
                stored = rules.salvaged(bytes)
                throw error
            }
        }
    }

    /// Takes the registration's response.
    ///
    /// A head unit answers RESUME_FAILED where it does not know the hash. WRONG_LANGUAGE may come in
    /// its place: languages are only compared where no hash was accepted.
    mutating func take(resultCode: String?) -> Outcome {
        guard let sentHash else { return .notSent }
        guard rules.accepts(resultCode, hasResumed: hasResumed) else {
            if rules.keepsRefusedHash { acceptedHash = sentHash }
            return .refused
        }
        acceptedHash = sentHash
        hasResumed = true
        return .accepted
    }

    /// Takes an OnHashChange.
    mutating func take(hash: String) { newHashes.append(hash) }

    // MARK: Disconnection

    /// The archive of what the head unit holds when the managers disconnect; `nil` if there is no
    /// hash to go with it.
    func archive(
        of screen: ScreenManager, at ending: Ending?
    ) -> (key: ArchiveKey, bytes: [UInt8])? {
        guard let key, let hashID, rules.stores(at: ending) else { return nil }
        let data = rules.stored(
            screen.held, waiting: screen.waiting, desired: screen.desired,
            before: acceptedHash == nil ? nil : stored?.data)
        let archive = ResumptionArchive(hashID: hashID, data: data)
        return (key, archive.bytes(for: key))
    }

    /// Keeps an archive in memory, for a mutant that has no files.
    mutating func keep(_ bytes: [UInt8], for key: ArchiveKey) { memory[key] = bytes }
}
