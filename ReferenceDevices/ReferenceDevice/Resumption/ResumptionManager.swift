import Wire

/// Archives data, sends the hash, and decides what a session starts with.
///
/// SDL-0183 calls it `SDLResumptionManager`.
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

    /// The outcome of the hash of a registration.
    enum Outcome: Sendable, Hashable {
        case notSent, accepted, refused
    }

    let rules: ResumptionRules
    /// The owner of this session's data; `nil` without a session.
    private(set) var key: ArchiveKey?
    /// The content of the archive.
    private(set) var stored: ResumptionArchive?
    /// The hash of the registration.
    private(set) var sentHash: String?
    /// The hash that the head unit accepted.
    private var acceptedHash: String?
    /// The hashes that the head unit has sent in this session, oldest first.
    private var newHashes: [String] = []
    /// Whether a hash was accepted in this process.
    private var hasResumed = false
    /// The number of sessions that this process has begun.
    private var sessions = 0
    /// The archives of a mutant that uses no files.
    private var memory: [ArchiveKey: [UInt8]] = [:]

    init(rules: ResumptionRules) { self.rules = rules }

    /// The hash that would be stored now.
    var hashID: String? { rules.latest(of: newHashes, after: acceptedHash) }

    // MARK: Connection

    /// Begins a session; of earlier ones, only what is stored remains.
    mutating func begin(_ key: ArchiveKey) {
        self.key = rules.storageKey(key)
        sessions += 1
        stored = nil
        sentHash = nil
        acceptedHash = nil
        newHashes = []
    }

    /// The archive that a mutant keeps in memory instead of in a file.
    var readingInMemory: ArchiveReading? {
        guard rules.keepsInMemory, let key else { return nil }
        return memory[key].map(ArchiveReading.bytes) ?? ArchiveReading.none
    }

    /// Handles the archive that was read, and derives the hash of the registration from it.
    ///
    /// - Throws: `ArchiveError` if there is an archive that cannot be used; the registration has no
    ///   hash then.
    mutating func consume(_ reading: ArchiveReading) throws(ArchiveError) {
        defer { sentHash = rules.hashSent(stored?.hashID, session: sessions) }
        guard let key else { return }
        switch reading {
        case .none: break
        case .unreadable(let reason): throw ArchiveError(problem: "cannot be read: \(reason)")
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

    /// Handles the registration's response.
    ///
    /// A head unit answers RESUME_FAILED if it does not know the hash. WRONG_LANGUAGE may be sent
    /// instead: languages are only compared if no hash was accepted.
    mutating func consume(resultCode: String?) -> Outcome {
        guard let sentHash else { return .notSent }
        guard rules.accepts(resultCode, hasResumed: hasResumed) else {
            if rules.keepsRefusedHash { acceptedHash = sentHash }
            return .refused
        }
        acceptedHash = sentHash
        hasResumed = true
        return .accepted
    }

    /// Handles an OnHashChange.
    mutating func consume(hash: String) { newHashes.append(hash) }

    // MARK: Disconnection

    /// Returns the archive of the data that the head unit holds when the managers disconnect.
    ///
    /// Returns `nil` if there is no hash for the data.
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

    /// Stores an archive in memory, for a mutant that uses no files.
    mutating func keep(_ bytes: [UInt8], for key: ArchiveKey) { memory[key] = bytes }
}
