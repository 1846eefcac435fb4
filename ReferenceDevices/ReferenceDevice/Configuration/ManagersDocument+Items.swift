import Wire

// MARK: - Items of the managers, in a configuration and in an archive

extension DocumentNode {
    // MARK: Items

    private enum ItemKey: String, CaseIterable {
        case id, handler
    }

    /// Reads an identifier or a handler; returns `false` for any other member.
    private func read<Item: ManagedItem>(
        _ name: String, of item: inout Item, _ form: DocumentForm
    ) throws(ConfigurationError) -> Bool {
        switch (ItemKey(rawValue: name), form) {
        case (.id, .archive): item.id = try identifier()
        case (.handler, .configuration): item.handler = try handler()
        default: return false
        }
        return true
    }

    private func identifier() throws(ConfigurationError) -> Int {
        guard let number = value.integerValue, (1...2_000_000_000).contains(number) else {
            throw expected("an identifier from 1 to 2000000000")
        }
        return Int(number)
    }

    /// Throws an error for an item of an archive without an identifier.
    private func checked<Item: ManagedItem>(
        _ item: Item, _ form: DocumentForm
    ) throws(ConfigurationError) -> Item {
        guard form == .configuration || item.id > 0 else {
            throw expected("an item with an \"id\"")
        }
        return item
    }

    private enum MenuKey: String, CaseIterable {
        case title, icon, voiceCommands, subCells, handler
    }

    func menu(
        _ form: DocumentForm, depth: Int
    ) throws(ConfigurationError) -> [MenuCell] {
        guard depth <= DocumentNode.deepestMenu else {
            throw ConfigurationError(
                key: path, problem: "menus nest at most \(DocumentNode.deepestMenu) deep")
        }
        var cells: [MenuCell] = []
        for node in try items() { cells.append(try node.menuCell(form, depth: depth)) }
        return cells
    }

    private func menuCell(
        _ form: DocumentForm, depth: Int
    ) throws(ConfigurationError) -> MenuCell {
        var cell = MenuCell(title: "")
        for (name, node) in try members() where !(try node.read(name, of: &cell, form)) {
            switch try node.known(name, as: MenuKey.self) {
            case .title: cell.title = try node.text()
            case .icon: cell.icon = try node.artwork()
            case .voiceCommands: cell.voiceCommands = try node.words()
            case .subCells: cell.subCells = try node.menu(form, depth: depth + 1)
            case .handler: throw node.expected("no handler in an archive")
            }
        }
        guard !cell.title.isEmpty else { throw expected("a menu cell with a \"title\"") }
        return try checked(cell, form)
    }

    private enum VoiceKey: String, CaseIterable {
        case voiceCommands, handler
    }

    func voiceCommand(_ form: DocumentForm) throws(ConfigurationError) -> VoiceCommand {
        var command = VoiceCommand(voiceCommands: [])
        for (name, node) in try members() where !(try node.read(name, of: &command, form)) {
            switch try node.known(name, as: VoiceKey.self) {
            case .voiceCommands: command.voiceCommands = try node.words()
            case .handler: throw node.expected("no handler in an archive")
            }
        }
        guard !command.voiceCommands.isEmpty else {
            throw expected("a voice command with \"voiceCommands\"")
        }
        return try checked(command, form)
    }

    private enum ChoiceKey: String, CaseIterable {
        case text, secondaryText, tertiaryText, voiceCommands, artwork, secondaryArtwork, handler
    }

    func choice(_ form: DocumentForm) throws(ConfigurationError) -> ChoiceCell {
        var cell = ChoiceCell(text: "")
        for (name, node) in try members() where !(try node.read(name, of: &cell, form)) {
            switch try node.known(name, as: ChoiceKey.self) {
            case .text: cell.text = try node.text()
            case .secondaryText: cell.secondaryText = try node.text()
            case .tertiaryText: cell.tertiaryText = try node.text()
            case .voiceCommands: cell.voiceCommands = try node.words()
            case .artwork: cell.artwork = try node.artwork()
            case .secondaryArtwork: cell.secondaryArtwork = try node.artwork()
            case .handler: throw node.expected("no handler in an archive")
            }
        }
        guard !cell.text.isEmpty else { throw expected("a choice with a \"text\"") }
        return try checked(cell, form)
    }

    private enum ButtonKey: String, CaseIterable {
        case name, text, artwork, state, states, handler
    }

    /// Reads a soft button; `text` and `artwork` outside `states` are short for a single state.
    func softButton(_ form: DocumentForm) throws(ConfigurationError) -> SoftButtonObject {
        var button = SoftButtonObject("", states: [])
        var only = SoftButtonObject.State(name: "")
        for (name, node) in try members() where !(try node.read(name, of: &button, form)) {
            switch try node.known(name, as: ButtonKey.self) {
            case .name: button.name = try node.text()
            case .text: only.text = try node.text()
            case .artwork: only.artwork = try node.artwork()
            case .state: button.state = try node.text()
            case .states: button.states = try node.buttonStates(form)
            case .handler: throw node.expected("no handler in an archive")
            }
        }
        guard !button.name.isEmpty else { throw expected("a soft button with a \"name\"") }
        if only.text != nil || only.artwork != nil {
            guard button.states.isEmpty else {
                throw expected("either \"states\" or \"text\" and \"artwork\"")
            }
            only.name = button.name
            button.states = [only]
        }
        if button.state.isEmpty { button.state = button.states.first?.name ?? "" }
        guard button.current != nil else { throw expected("a \"state\" that is one of \"states\"") }
        return try checked(button, form)
    }

    private enum StateKey: String, CaseIterable {
        case name, text, artwork
    }

    private func buttonStates(
        _ form: DocumentForm
    ) throws(ConfigurationError) -> [SoftButtonObject.State] {
        var states: [SoftButtonObject.State] = []
        for element in try items() {
            var state = SoftButtonObject.State(name: "")
            for (name, node) in try element.members() {
                switch try node.known(name, as: StateKey.self) {
                case .name: state.name = try node.text()
                case .text: state.text = try node.text()
                case .artwork: state.artwork = try node.artwork()
                }
            }
            // A stored state may lack its image because a head unit refused it.
            guard !state.name.isEmpty,
                state.text != nil || state.artwork != nil || form == .archive
            else {
                throw element.expected("a state with a \"name\" and a \"text\" or an \"artwork\"")
            }
            states.append(state)
        }
        return states
    }
}
