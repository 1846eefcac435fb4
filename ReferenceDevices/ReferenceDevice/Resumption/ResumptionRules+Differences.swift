import Wire

/// Differences between set and waiting data that mutants do not notice.
extension ResumptionRules {
    /// Returns the set data, with waiting data in place of every difference that is not noticed.
    func unnoticed(_ data: ManagersData, waiting: ManagersData) -> ManagersData {
        var data = data
        for (field, old) in waiting.screen {
            guard let new = data.screen[field], isBlind(to: field, new, old) else { continue }
            data.screen[field] = old
        }
        if let new = data.softButtonObjects, let old = waiting.softButtonObjects,
            isBlind(to: new, old)
        {
            data.softButtonObjects = old
        }
        if mutant == .ignoresSecondChoice, let old = waiting.preloadedChoices,
            let new = data.preloadedChoices, new.first?.signature == old.first?.signature
        {
            data.preloadedChoices = old
        }
        return data
    }

    private func isBlind(to field: ScreenField, _ new: ScreenValue, _ old: ScreenValue) -> Bool {
        switch mutant {
        case .ignoresLetterCase:
            if case (.text(let new), .text(let old)) = (new, old) {
                new.lowercased() == old.lowercased()
            } else {
                false
            }
        case .ignoresBlanks:
            if case (.text(let new), .text(let old)) = (new, old) {
                new.trimmed == old.trimmed
            } else {
                false
            }
        case .ignoresClearedText: new.isEmptyText
        case .ignoresTextField4: field == .textField4
        case .ignoresMediaTrack: field == .mediaTrackTextField
        case .ignoresAlignment: field == .textAlignment
        case .ignoresMetadataTypes: field.kind == .metadataTypes
        case .ignoresSecondaryGraphic: field == .secondaryGraphic
        default: false
        }
    }

    private func isBlind(to new: [SoftButtonObject], _ old: [SoftButtonObject]) -> Bool {
        guard new.signature != old.signature else { return false }
        return switch mutant {
        case .ignoresButtonState:
            new.map(\.name) == old.map(\.name) && new.map(\.states) == old.map(\.states)
        case .ignoresButtonOrder: new.map(\.name).sorted() == old.map(\.name).sorted()
        default: false
        }
    }
}

extension ScreenValue {
    /// Whether the value shows no text.
    var isEmptyText: Bool { self == .nothing || self == .text("") }
}

extension ChoiceCell {
    /// The choice with only the first of its voice commands.
    var firstWords: ChoiceCell {
        var cell = self
        cell.voiceCommands = voiceCommands.map { Array($0.prefix(1)) }
        return cell
    }
}

extension ManagersData {
    /// The names of all images in the data.
    var imageNames: Set<String> {
        var artworks = screen.values.compactMap(\.artwork)
        artworks += (softButtonObjects ?? []).flatMap(\.states).compactMap(\.artwork)
        artworks += (menu ?? []).flatMap { [$0] + ($0.subCells ?? []) }.compactMap(\.icon)
        artworks += (preloadedChoices ?? []).flatMap { [$0.artwork, $0.secondaryArtwork] }
            .compactMap(\.self)
        return Set(artworks.map(\.name))
    }
}

extension String {
    /// The text without blanks at its ends.
    var trimmed: String {
        var text = self[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
