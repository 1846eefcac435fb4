import Wire

// MARK: - Transport and accessories

extension DocumentNode {
    private enum AccessoryKey: String, CaseIterable {
        case systemVersion, createSessionRetries, controlTimeout, sessionTimeout
    }

    func transport() throws(ConfigurationError) -> AppTransport {
        guard let transport = AppTransport(rawValue: try text()) else {
            let names = AppTransport.allCases.map { "\"\($0.rawValue)\"" }
            throw expected(names.joined(separator: " or "))
        }
        return transport
    }

    /// Returns the settings with the members of this object applied; the defaults if it is null.
    func accessorySettings(_ settings: AccessoryUse) throws(ConfigurationError)
        -> AccessoryUse
    {
        guard !isNull else { return AccessoryUse() }
        var settings = settings
        for (name, node) in try members() {
            switch try node.known(name, as: AccessoryKey.self) {
            case .systemVersion:
                guard let version = SystemVersion(try node.text()) else {
                    throw node.expected("a version, in quotes, such as \"9.3\"")
                }
                settings.systemVersion = version
            case .createSessionRetries: settings.createSessionRetries = try node.count()
            case .controlTimeout: settings.controlTimeout = try node.count()
            case .sessionTimeout: settings.sessionTimeout = try node.count()
            }
        }
        return settings
    }
}

extension AccessoryUse {
    /// The settings as the configuration document writes them.
    var value: Value {
        [
            "systemVersion": .string(systemVersion.description),
            "createSessionRetries": .integer(Int64(createSessionRetries)),
            "controlTimeout": .integer(Int64(controlTimeout)),
            "sessionTimeout": .integer(Int64(sessionTimeout)),
        ]
    }
}
