import SDL
import Wire

// MARK: - Parts of items, and the delegate

extension DocumentNode {
    // MARK: Parts of items

    /// Returns at least one text.
    func words() throws(ConfigurationError) -> [String] {
        let words = try texts()
        guard !words.isEmpty else { throw expected("at least one text") }
        return words
    }

    private enum ArtworkKey: String, CaseIterable {
        case name, fileType, size, persistent, `static`
    }

    func artwork() throws(ConfigurationError) -> Artwork {
        var artwork = Artwork(name: "")
        if let name = value.stringValue {
            artwork.name = name
        } else {
            for (name, node) in try members() {
                switch try node.known(name, as: ArtworkKey.self) {
                case .name: artwork.name = try node.text()
                case .fileType: artwork.fileType = try node.text()
                case .persistent: artwork.isPersistent = try node.flag()
                case .size: artwork.size = try node.size()
                case .static: (artwork.name, artwork.isStatic) = (try node.text(), true)
                }
            }
        }
        guard !artwork.name.isEmpty else { throw expected("an artwork with a \"name\"") }
        return artwork
    }

    private func size() throws(ConfigurationError) -> Int {
        guard let size = value.integerValue, (1...Int64(Artwork.largestSize)).contains(size) else {
            throw expected("a size from 1 to \(Artwork.largestSize)")
        }
        return Int(size)
    }

    func handler() throws(ConfigurationError) -> Handler {
        var requests: [Value.Member] = []
        for (name, node) in try members() {
            guard SDL.RPC(.request, name, correlationID: 0) != nil else {
                throw ConfigurationError(
                    key: node.path, problem: "the RPC specification has no function \"\(name)\"")
            }
            guard node.value.objectValue != nil else { throw node.expected("parameters") }
            requests.append(Value.Member(name, node.value))
        }
        return Handler(requests: requests)
    }

    // MARK: Controls

    private enum PresentKey: String, CaseIterable {
        case choices
    }

    /// Returns the texts of the choices that a control presents.
    func choiceTexts() throws(ConfigurationError) -> [String] {
        var texts: [String] = []
        for (name, node) in try members() {
            _ = try node.known(name, as: PresentKey.self)
            texts = try node.words()
        }
        guard !texts.isEmpty else { throw expected("{\"choices\": [TEXT, ...]}") }
        return texts
    }

    // MARK: The delegate

    private enum ResumptionDelegateKey: String, CaseIterable {
        case send, inspect, set
    }

    /// The maximum number of lines of an Alert.
    private static let mostInspected = 3

    func resumptionDelegate() throws(ConfigurationError) -> ResumptionDelegate? {
        if value == "absent" { return nil }
        var delegate = ResumptionDelegate()
        if isNull { return delegate }
        for (name, node) in try members() {
            switch try node.known(name, as: ResumptionDelegateKey.self) {
            case .send: delegate.send = try node.handler()
            case .inspect: delegate.inspect = try node.fieldPaths()
            case .set: delegate.set = node.isNull ? nil : try node.managersData(.configuration)
            }
        }
        return delegate
    }

    private func fieldPaths() throws(ConfigurationError) -> [FieldPath] {
        var paths: [FieldPath] = []
        for node in try elements() {
            guard let path = FieldPath(try node.text()) else {
                throw node.expected("a path such as menu[0].title")
            }
            paths.append(path)
        }
        guard paths.count <= DocumentNode.mostInspected else {
            throw expected("at most \(DocumentNode.mostInspected) paths")
        }
        return paths
    }
}
