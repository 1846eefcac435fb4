import SDL

/// What mutants do because of messages that an app must not send.
extension SDLHeadUnit {
    /// Whether a mutant is silent, or ends, because of a value of a request.
    mutating func failsOn(_ request: SDL.RPC, on link: HeadUnitLink) -> Bool {
        let faults = ValueFaults(request)
        guard !faults.isEmpty else { return false }
        switch mutant {
        case .silentAboutWrongTypes: return faults.areOfType
        case .silentAboutNull: return faults.areNull
        case .silentAboutLongTexts: return faults.areOfTextLength
        case .silentAboutNumbers: return faults.areNumbers
        case .exitsOnWrongTypes where faults.areOfType,
            .exitsOnLongTexts where faults.areOfTextLength,
            .exitsOnLongLists where faults.areOfListLength,
            .exitsOnNumbersOutOfRange where faults.areNumbers,
            .exitsOnUnknownWords where faults.areWords,
            .exitsOnIncompleteRequests where faults.areAbsences:
            exit(code: 1)
            return true
        case .unitCrashesOnNull where faults.areNull: suffer(.crash)
        case .hangsOnWrongTypes where faults.areOfType: suffer(.hang)
        case .spinsAfterWrongValues: suffer(.spin)
        case .unitKeepsWrongValues: suffer(.keepMemory)
        case .unitKeepsDescriptors: suffer(.keepDescriptors)
        case .unregistersOthersOnWrongValues: unregister(but: link)
        default: break
        }
        return false
    }

    /// Does what a mutant does because of a malformed message.
    mutating func suffer(malformed link: HeadUnitLink) {
        switch mutant {
        case .unitCrashesOnMalformed: suffer(.crash)
        case .unitHangsOnMalformed: suffer(.hang)
        case .endsOthersOnMalformed:
            for other in connections.keys.sorted() where other != link { close(other) }
        default: break
        }
    }

    /// Forgets the apps of all other connections.
    private mutating func unregister(but link: HeadUnitLink) {
        for other in connections.keys where other != link {
            for id in (connections[other]?.services ?? [:]).keys {
                connections[other]?.services[id]?.app = nil
            }
        }
    }
}
