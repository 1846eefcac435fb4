import Wire

// MARK: - The handler of an activated item

extension ScreenManager {
    /// An item that has been activated: its name, and the developer's handler.
    struct Activation: Sendable {
        let item: String
        let handler: Handler?
    }

    /// Returns the menu cell or voice command of that number; `nil` if the head unit holds none.
    func activation(ofCommand id: Int) -> Activation? {
        if let command = held.voiceCommands?.first(where: { $0.id == id }) {
            let set = desired.voiceCommands?.first { $0.signature == command.signature }
            return Activation(
                item: command.voiceCommands.first ?? "",
                handler: connected(set?.handler, .voiceCommands, resumed.commands.contains(id)))
        }
        guard let path = held.menu?.path(to: id), let cell = path.last else { return nil }
        let set = desired.menu?.cell(at: path.map(\.signature)[...])
        return Activation(
            item: cell.title, handler: connected(set?.handler, .menu, resumed.commands.contains(id))
        )
    }

    /// Returns the soft button of that number; `nil` if the head unit holds none.
    func activation(ofSoftButton id: Int) -> Activation? {
        guard let button = held.softButtonObjects?.first(where: { $0.id == id }) else { return nil }
        let set = desired.softButtonObjects?.first { $0.name == button.name }
        return Activation(
            item: button.name,
            handler: connected(set?.handler, .softButtons, resumed.softButtons.contains(id)))
    }

    /// Returns the choice of that number; `nil` if the head unit holds none.
    func activation(ofChoice id: Int) -> Activation? {
        guard let choice = held.preloadedChoices?.first(where: { $0.id == id }) else { return nil }
        let set = desired.preloadedChoices?.first { $0.signature == choice.signature }
        return Activation(item: choice.text, handler: set?.handler)
    }

    private func connected(_ handler: Handler?, _ kind: DataKind, _ isResumed: Bool) -> Handler? {
        rules.connectsHandler(of: kind, isResumed: isResumed) && !callsNoHandlers ? handler : nil
    }
}
