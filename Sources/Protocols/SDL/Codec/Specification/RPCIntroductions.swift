/// The versions of the RPC specification that introduced messages, structures and parameters.
struct RPCIntroductions: Sendable {
    /// The shared instance, with the table parsed.
    static let shared = RPCIntroductions()

    /// The versions by name: `Show.request`, `Show.request.graphic`, `Image`, `Image.isTemplate`.
    let versions: [String: String]

    private init() {
        var reader = RPCTableReader()
        var versions: [String: String] = [:]
        for entry in reader.entries(of: RPCSpecification.introductions) {
            for name in RPCTableReader.words(of: entry.body) {
                versions[name] = String(decoding: entry.head, as: UTF8.self)
            }
        }
        self.versions = versions
    }
}
