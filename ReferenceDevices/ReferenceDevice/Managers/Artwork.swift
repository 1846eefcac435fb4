import Wire

/// An image of the app (`SDLArtwork`).
///
/// It is a file that is uploaded before it is used, or an image that the head unit already has. Two
/// artworks with the same name are the same image.
public struct Artwork: Sendable, Hashable {
    /// The largest file that a document may specify, in bytes: the limit of `PutFile.length`.
    static let largestSize = 2_000_000_000

    /// The file's name on the head unit; the code of a static image.
    public var name: String
    /// The kind of file, as in the RPC specification's `FileType`.
    public var fileType = "GRAPHIC_PNG"
    /// Size of the file in bytes.
    public var size = 64
    /// Whether the head unit keeps the file after the session.
    public var isPersistent = true
    /// Whether the head unit already has the image, so that nothing is uploaded.
    public var isStatic = false

    /// The image as an RPC parameter.
    var image: Value {
        ["value": .string(name), "imageType": isStatic ? "STATIC" : "DYNAMIC"]
    }

    /// The parameter value for no image.
    static let noImage: Value = ["value": "", "imageType": "STATIC"]

    /// The bytes of the file: a different sequence for each name.
    var contents: [UInt8] {
        var state = name.utf8.reduce(into: UInt64(0x9E37_79B9_7F4A_7C15)) { hash, byte in
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        let wordSize = 8
        let words = (0..<(size + wordSize - 1) / wordSize).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
        return words.withUnsafeBytes { Array($0.prefix(size)) }
    }

    /// Returns the artwork in the form of a document; an archive needs only the name.
    func value(_ form: DocumentForm) -> Value {
        if isStatic { return ["static": .string(name)] }
        if form == .archive { return .string(name) }
        return [
            "name": .string(name), "fileType": .string(fileType),
            "size": .integer(Int64(size)), "persistent": .bool(isPersistent),
        ]
    }
}

/// The purpose of a document with managers' data.
enum DocumentForm: Sendable, Hashable {
    /// The data that the developer sets: items have handlers.
    case configuration
    /// The data that is stored: items have the identifiers that the head unit uses for them.
    case archive
}

/// The requests that the app sends when an item is activated.
///
/// Code cannot be stored, so handlers are never part of an archive (SDL-0183, "Potential
/// downsides").
public struct Handler: Sendable, Hashable {
    /// Function names and the parameters of each request, in the order in which they are sent.
    public var requests: [Value.Member]

    var value: Value { .object(requests) }
}
