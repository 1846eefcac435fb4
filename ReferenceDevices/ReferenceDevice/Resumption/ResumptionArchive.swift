import Wire

/// The owner of an archive's data: one app on one head unit.
public struct ArchiveKey: Sendable, Hashable {
    /// The identifier that the app has registered with.
    public var appID: String
    /// The members of the StartServiceACK that identify the vehicle.
    ///
    /// Without such members, it is the head unit's address.
    public var headUnit: [Value.Member]

    /// The members that identify a head unit (protocol specification 3.1.3.2.3, since 5.4.0).
    ///
    /// Versions of its software and hardware are not included: a head unit that was updated is
    /// still the same one, and refuses a hash that it does not know.
    private static let identity = ["make", "model", "modelYear", "trim"]

    /// Creates the key of an app on a head unit.
    ///
    /// - Parameters:
    ///   - parameters: The members of the StartServiceACK.
    ///   - address: The address of the head unit.
    init(appID: String, acknowledgement parameters: Value, address: String) {
        self.appID = appID
        let stated = ArchiveKey.identity.compactMap { name in
            parameters[name].map { Value.Member(name, $0) }
        }
        headUnit = stated.isEmpty ? [Value.Member("address", .string(address))] : stated
    }

    /// The key as it is written in the archive.
    fileprivate var members: [Value.Member] {
        [Value.Member("appID", .string(appID)), Value.Member("headUnit", .object(headUnit))]
    }

    /// The name of the archive's file, different for different keys.
    ///
    /// It is readable as far as the characters of the app's identifier are safe in file names.
    var fileName: String {
        let longestPrefix = 40
        let readable = appID.unicodeScalars.prefix(longestPrefix).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                ? String(scalar) : "_"
        }
        let text = Value.object(members).jsonText()
        let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        return "\(readable.joined())-\(String(hash, radix: 16)).json"
    }
}

/// The data stored when the managers disconnect: the latest hash and the data (SDL-0183).
public struct ResumptionArchive: Sendable, Hashable {
    /// The version of the file format.
    static let version: Int64 = 1

    /// The last hash that the head unit sent.
    var hashID: String
    /// The data that the head unit held at that time.
    var data: ManagersData

    /// The archive as the bytes of a file.
    func bytes(for key: ArchiveKey) -> [UInt8] {
        let document = Value.object(
            [Value.Member("version", .integer(ResumptionArchive.version))] + key.members
                + [
                    Value.Member("hashID", .string(hashID)),
                    Value.Member("data", data.value(.archive)),
                ])
        return Array(document.jsonText().utf8)
    }

    /// Reads the bytes of a file.
    ///
    /// - Throws: `ArchiveError` for anything that `bytes(for:)` with that key does not write:
    ///   invalid JSON, another version, another key, or impossible data.
    init(
        bytes: [UInt8], for key: ArchiveKey, anyVersion: Bool = false
    ) throws(ArchiveError) {
        let document: Value
        do {
            document = try Value(json: bytes.span.bytes)
        } catch {
            throw ArchiveError(problem: "is not JSON: \(error.detail)")
        }
        guard document.objectValue != nil else { throw ArchiveError(problem: "is not an object") }
        guard anyVersion || document["version"] == .integer(ResumptionArchive.version) else {
            throw ArchiveError(
                problem: "has version \((document["version"] ?? .null).jsonText()), supported is "
                    + "\(ResumptionArchive.version)")
        }
        for member in key.members where document[member.name] != member.value {
            throw ArchiveError(problem: "belongs to another \(member.name)")
        }
        guard let hash = document["hashID"]?.stringValue, !hash.isEmpty else {
            throw ArchiveError(problem: "has no hashID")
        }
        guard let stored = document["data"] else { throw ArchiveError(problem: "has no data") }
        hashID = hash
        do {
            data = try DocumentNode(path: "data", value: stored).managersData(.archive)
        } catch {
            throw ArchiveError(problem: "has data that cannot be used: \(error.description)")
        }
    }

    init(hashID: String, data: ManagersData) {
        self.hashID = hashID
        self.data = data
    }
}

/// The reason why an archive cannot be used.
public struct ArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problem, phrased to follow "the archive".
    public let problem: String

    /// `the archive PROBLEM`.
    public var description: String { "the archive \(problem)" }
}

/// The result of reading the file of an archive.
public enum ArchiveReading: Sendable, Hashable {
    /// There is no archive.
    case none
    /// The archive consists of these bytes.
    case bytes([UInt8])
    /// There is an archive that cannot be read, with the reason.
    case unreadable(String)
}
