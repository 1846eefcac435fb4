import Wire

/// Transfers what the developer sets to the head unit (`SDLScreenManager`).
///
/// It includes the managers for text and graphics, soft buttons, menu, voice commands, choice sets
/// and files. It compares what the head unit holds with what the developer has set, and each call
/// of `nextStep` returns one request that reduces the difference. So only differences are sent,
/// whether the head unit's data comes from this session or from a resumed one.
struct ScreenManager: Sendable {
    let rules: ResumptionRules
    /// The data that the head unit holds, as far as it has confirmed it.
    private(set) var held: ManagersData
    /// The part of it that waits for the developer to set the same (SDL-0183).
    private(set) var waiting: ManagersData
    /// The data that the developer has set in this session.
    private(set) var desired = ManagersData()
    /// The data that the head unit held when the session began.
    private let stored: ManagersData
    /// The numbers that the head unit has from an earlier session.
    let resumed: ResumedNumbers
    /// The items that the head unit has refused; they are not sent again before they are set anew.
    private var refused: Set<RefusedItem> = []
    private var files = Files()
    private var numbers: Numbers
    /// Choices to present once they are on the head unit, as sets of texts.
    private var interactions: [[String]] = []
    /// The request whose response is awaited.
    private(set) var inFlight: (correlationID: Int32, step: Step)?
    /// Whether a mutant calls no handler.
    var callsNoHandlers = false
    /// Whether a mutant still has to send an empty Show.
    private var showsNothing = false

    /// Creates a manager for a session.
    ///
    /// - Parameters:
    ///   - held: The data that the head unit has restored; empty in a new session.
    ///   - waiting: The part of it that waits for the developer.
    init(
        rules: ResumptionRules, held: ManagersData = .init(), waiting: ManagersData = .init()
    ) {
        self.rules = rules
        self.held = held
        stored = held
        self.waiting = waiting
        resumed = ResumedNumbers(held)
        numbers = Numbers(held)
    }

    /// Creates a manager that starts as the rules specify.
    init(rules: ResumptionRules, _ start: ResumptionRules.Start) {
        self.init(rules: rules, held: start.held, waiting: start.waiting)
        files.available = start.files
        files.isListed = !start.files.isEmpty
        callsNoHandlers = start.callsNoHandlers
    }

    /// Sets data of the developer; the fields that it changes no longer wait.
    mutating func set(_ data: ManagersData) {
        showsNothing = rules.showsNothing(data, waiting: waiting)
        callsNoHandlers = callsNoHandlers || rules.disconnects(data, waiting: waiting)
        let data = rules.setting(
            data, waiting: waiting, before: desired, stored: stored, held: &held)
        desired.apply(data)
        waiting = waiting.untouched(by: data)
        refused = refused.filter { !$0.isTouched(by: data) }
        files.failed = []
    }

    /// Presents the choices with these texts, once they are on the head unit.
    mutating func present(_ texts: [String]) { interactions.append(texts) }

    // MARK: Requests

    /// Returns the next request, unless one is in progress or nothing differs.
    mutating func nextStep() -> Step? {
        guard inFlight == nil else { return nil }
        if showsNothing {
            showsNothing = false
            return .show(Show())
        }
        return screenStep() ?? softButtonStep() ?? menuStep() ?? voiceCommandStep()
            ?? choiceStep() ?? interactionStep()
    }

    /// Records the request that the step has become.
    mutating func began(_ step: Step, as correlationID: Int32) {
        inFlight = (correlationID, step)
    }

    /// Handles the response to the request in progress.
    ///
    /// - Returns: Whether the head unit has refused it.
    mutating func finish(_ step: Step, _ response: Value) -> Bool {
        inFlight = nil
        let isRefused = response["success"] != true && !rules.keepsRefusedItems
        switch step {
        case .show(let show): finish(show, isRefused)
        case .listFiles:
            let names = response["filenames"]?.arrayValue?.compactMap(\.stringValue) ?? []
            files.available.formUnion(names)
            files.isListed = true
        case .putFile(let artwork):
            if isRefused {
                files.failed.insert(artwork.name)
            } else {
                files.available.insert(artwork.name)
            }
        case .deleteCell(let cell): held.menu = held.menu?.removing(cell.id)
        case .addCell(let cell, let place):
            if isRefused {
                refused.insert(RefusedItem(.menu, cell.signature, parent: place.parent))
            } else {
                held.menu = (held.menu ?? []).inserting(cell, at: place)
            }
        case .deleteVoiceCommand(let command):
            held.voiceCommands?.removeAll { $0.id == command.id }
        case .addVoiceCommand(let command):
            if isRefused {
                refused.insert(RefusedItem(.voiceCommands, command.signature))
            } else {
                held.voiceCommands = (held.voiceCommands ?? []) + [command]
            }
        case .createChoice(let choice):
            if isRefused {
                refused.insert(RefusedItem(.choices, choice.signature))
            } else {
                held.preloadedChoices = (held.preloadedChoices ?? []) + [choice]
            }
        case .performInteraction: break
        }
        return isRefused
    }

    private mutating func finish(_ show: Show, _ isRefused: Bool) {
        if let buttons = show.softButtons {
            if isRefused {
                refused.insert(RefusedItem(.softButtons, buttons.signature))
            } else {
                held.softButtonObjects = buttons
            }
        }
        for (field, value) in show.fields {
            if isRefused {
                refused.insert(RefusedItem(field.kind, value.parameter(of: field), field: field))
            } else {
                held.screen[field] = value == .nothing ? nil : value
            }
        }
    }

    // MARK: Files

    /// Returns the request that an image needs before it can be used.
    ///
    /// Returns `nil` if every image can be used or is unavailable.
    private func uploadStep(_ artworks: [Artwork]) -> Step? {
        guard let missing = artworks.first(where: files.lacks) else { return nil }
        return files.isListed ? .putFile(missing) : .listFiles
    }

    /// Returns the image, unless the head unit has refused its file.
    private func usable(_ artwork: Artwork?) -> Artwork? {
        artwork.flatMap { !$0.isStatic && files.failed.contains($0.name) ? nil : $0 }
    }

    // MARK: Texts and graphics

    private func screenStep() -> Step? {
        var changed: [ScreenField: ScreenValue] = [:]
        for (field, value) in desired.screen {
            let value =
                value.artwork.map { usable($0).map(ScreenValue.artwork) ?? .nothing } ?? value
            let new = value.parameter(of: field)
            guard new != (held.screen[field] ?? .nothing).parameter(of: field),
                !refused.contains(RefusedItem(field.kind, new, field: field))
            else { continue }
            changed[field] = value
        }
        guard !changed.isEmpty else { return nil }
        let fields = ScreenField.allCases.filter { changed[$0] != nil }
        guard let upload = uploadStep(fields.compactMap { changed[$0]?.artwork }) else {
            return .show(Show(fields: changed))
        }
        // Texts are sent before the images are ready.
        let texts = changed.filter { $0.key.kind != .graphics }
        return texts.isEmpty ? upload : .show(Show(fields: texts))
    }

    // MARK: Soft buttons

    private mutating func softButtonStep() -> Step? {
        guard var buttons = desired.softButtonObjects else { return nil }
        for (index, button) in buttons.enumerated() {
            buttons[index].states = button.states.map { state in
                var state = state
                state.artwork = usable(state.artwork)
                return state
            }
        }
        let held = held.softButtonObjects ?? []
        guard buttons.signature != held.signature,
            !refused.contains(RefusedItem(.softButtons, buttons.signature))
        else { return nil }
        if let upload = uploadStep(buttons.compactMap { $0.current?.artwork }) { return upload }
        for (index, button) in buttons.enumerated() {
            buttons[index].id =
                held.first { $0.name == button.name }?.id ?? numbers.next(\.softButton)
        }
        return .show(Show(softButtons: buttons))
    }

    // MARK: Menu

    private mutating func menuStep() -> Step? {
        guard let desired = desired.menu else { return nil }
        let wanted = prepared(desired, below: 0)
        let held = held.menu ?? []
        if let deleted = rules.firstToDelete(held, wanted) { return .deleteCell(deleted) }
        guard let (cell, place) = rules.firstToAdd(held, wanted) else { return nil }
        if let upload = uploadStep([cell.icon].compactMap { $0 }) { return upload }
        var new = cell
        new.id = numbers.next(\.command)
        if cell.isSubMenu { new.subCells = [] }
        return .addCell(new, place)
    }

    /// Returns the cells that are possible: without refused images and without refused cells.
    ///
    /// - Parameter parent: The number of the sub menu on the head unit; 0 for the top.
    private func prepared(_ cells: [MenuCell], below parent: Int) -> [MenuCell] {
        cells.compactMap { cell in
            var cell = cell
            cell.icon = usable(cell.icon)
            guard !refused.contains(RefusedItem(.menu, cell.signature, parent: parent)) else {
                return nil
            }
            guard let below = cell.subCells else { return cell }
            let number = (held.menu ?? []).number(of: cell.signature, below: parent)
            cell.subCells = prepared(below, below: number ?? -1)
            return cell
        }
    }

    // MARK: Voice commands

    private mutating func voiceCommandStep() -> Step? {
        guard let desired = desired.voiceCommands else { return nil }
        let held = held.voiceCommands ?? []
        let wanted = Set(desired.map(rules.voiceSignature))
        if let deleted = held.first(where: { !wanted.contains(rules.voiceSignature($0)) }),
            rules.deletesRemovedItems
        {
            return .deleteVoiceCommand(deleted)
        }
        let present = Set(held.map(rules.voiceSignature))
        let missing = desired.first {
            !present.contains(rules.voiceSignature($0))
                && !refused.contains(RefusedItem(.voiceCommands, $0.signature))
        }
        guard var command = missing else { return nil }
        command.id = numbers.next(\.voiceCommand)
        return .addVoiceCommand(command)
    }

    // MARK: Choices

    private mutating func choiceStep() -> Step? {
        let present = Set((held.preloadedChoices ?? []).map(rules.choiceSignature))
        let wanted = (desired.preloadedChoices ?? []).map { choice in
            var choice = choice
            choice.artwork = usable(choice.artwork)
            choice.secondaryArtwork = usable(choice.secondaryArtwork)
            return choice
        }
        let missing = wanted.first {
            !present.contains(rules.choiceSignature($0))
                && !refused.contains(RefusedItem(.choices, $0.signature))
        }
        guard var choice = missing else { return nil }
        let artworks = [choice.artwork, choice.secondaryArtwork].compactMap { $0 }
        if let upload = uploadStep(artworks) { return upload }
        choice.id = numbers.next(\.choice)
        return .createChoice(choice)
    }

    private mutating func interactionStep() -> Step? {
        guard !interactions.isEmpty else { return nil }
        let texts = interactions.removeFirst()
        let chosen = (held.preloadedChoices ?? []).filter { texts.contains($0.text) }
        return .performInteraction(chosen.map(\.id))
    }
}
