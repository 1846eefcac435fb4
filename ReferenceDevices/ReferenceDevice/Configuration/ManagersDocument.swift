import Wire

// MARK: - Data of the managers, in a configuration and in an archive

extension DocumentNode {
    /// The maximum number of items of a list.
    ///
    /// A head unit takes fewer, and a broken archive must not request more.
    private static let mostItems = 1000
    /// The maximum depth of menus.
    ///
    /// The RPC specification sets no limit; head units take about three levels.
    static let deepestMenu = 8

    /// Reads data of the managers.
    func managersData(_ form: DocumentForm) throws(ConfigurationError) -> ManagersData {
        var data = ManagersData()
        for (name, node) in try members() {
            if let field = ScreenField(rawValue: name) {
                data.screen[field] = try node.screenValue(of: field)
            } else {
                try node.setList(try node.managersKey(name), of: &data, form)
            }
        }
        return data
    }

    private func managersKey(_ name: String) throws(ConfigurationError) -> ManagersData.Key {
        if let key = ManagersData.Key(rawValue: name) { return key }
        let names = ScreenField.allCases.map(\.rawValue) + ManagersData.Key.allCases.map(\.rawValue)
        throw ConfigurationError(
            key: path, problem: "unknown; the keys are \(names.joined(separator: ", "))")
    }

    private func setList(
        _ key: ManagersData.Key, of data: inout ManagersData, _ form: DocumentForm
    ) throws(ConfigurationError) {
        switch key {
        case .softButtonObjects:
            var buttons: [SoftButtonObject] = []
            for node in try items() { buttons.append(try node.softButton(form)) }
            data.softButtonObjects = buttons
        case .menu:
            data.menu = try menu(form, depth: 1)
        case .voiceCommands:
            var commands: [VoiceCommand] = []
            for node in try items() { commands.append(try node.voiceCommand(form)) }
            data.voiceCommands = commands
        case .preloadedChoices:
            var choices: [ChoiceCell] = []
            for node in try items() { choices.append(try node.choice(form)) }
            data.preloadedChoices = choices
        }
    }

    func items() throws(ConfigurationError) -> [DocumentNode] {
        let items = try elements()
        guard items.count <= DocumentNode.mostItems else {
            throw ConfigurationError(
                key: path, problem: "\(items.count) items, at most \(DocumentNode.mostItems)")
        }
        return items
    }

    private func screenValue(of field: ScreenField) throws(ConfigurationError) -> ScreenValue {
        if isNull { return .nothing }
        if field.kind == .graphics { return .artwork(try artwork()) }
        let text = try text()
        if let words = field.words, !words.contains(text) {
            throw expected("one of \(words.joined(separator: ", "))")
        }
        return .text(text)
    }
}
