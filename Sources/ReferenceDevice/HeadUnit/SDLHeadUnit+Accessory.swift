import ExternalAccessory

/// The accessory's side of sessions by protocol string: the declaration, and the hub strategy
/// (document 000, Head Unit).
extension SDLHeadUnit {
    /// The head unit's id as an accessory; each phone has but this one.
    private static let accessoryID: UInt32 = 1

    /// The protocol strings of its identification.
    var declaredProtocols: [String] {
        configuration.protocols.compactMap { string in
            switch (mutant, string) {
            case (.undeclaredMultisession, ExternalAccessory.multisessionString),
                (.undeclaredHub, ExternalAccessory.controlString):
                nil
            case (.misspeltMultisession, ExternalAccessory.multisessionString):
                "com.smartdevicelink.multiSession"
            case (.undeclaredDedicated, _) where string.isDedicated:
                nil
            default: string
            }
        }
    }

    /// Takes what a phone says to the accessory.
    mutating func take(_ message: ExternalAccessory.Message, on link: HeadUnitLink) {
        switch message.content {
        case .control:
            log(.phoneAsked, link)
            phoneCount += 1
            let accessory = ExternalAccessory.Accessory(
                id: Self.accessoryID, name: configuration.name,
                manufacturer: configuration.manufacturer, model: configuration.model,
                protocols: declaredProtocols.filter {
                    mutant != .forgetsSecondPhone || phoneCount == 1
                        || $0 != ExternalAccessory.multisessionString
                })
            send(ExternalAccessory.BusLine.accessory(accessory), on: link)
            send(ExternalAccessory.BusLine.ready, on: link)
        case .open(let wish):
            open(wish, on: link)
        case .data(_, let bytes):
            log(.dataIgnored, link, [.init("count", .integer(Int64(bytes.count)))])
        case .malformed(let what):
            log(.malformed, link, [.init("reason", .string(what))])
            close(link)
        case .accessory, .ready, .connected, .disconnected, .opened, .refused, .close:
            break
        }
    }

    private mutating func open(_ wish: ExternalAccessory.Session, on link: HeadUnitLink) {
        let string = wish.protocolString ?? ""
        if let reason = refusal(of: wish) {
            log(
                .sessionRefused, link,
                [.init("protocol", .string(string)), .init("reason", .string(reason))])
            send(ExternalAccessory.BusLine.refused(reason), on: link)
            return close(link)
        }
        if endsFormer(string) {
            for former in links(under: string) { close(former) }
        }
        if mutant == .multisessionEndsDedicated, string == ExternalAccessory.multisessionString {
            let dedicated = connections.filter {
                $0.value.session?.protocolString?.isDedicated ?? false
            }
            for former in dedicated.keys.sorted() { close(former) }
        }
        sessionCount += 1
        var session = wish
        session.id = sessionCount
        connections[link]?.session = session
        log(.sessionOpened, link, session.fields)
        send(ExternalAccessory.BusLine.opened(session: sessionCount), on: link)
        if let index = string.dedicatedIndex { hub.take(index) }
        if string == ExternalAccessory.controlString
            || mutant == .indexOnMultisession && string == ExternalAccessory.multisessionString
        {
            tellIndex(on: link)
        }
    }

    /// Whether an app that comes ends the session of the one before, as head units without
    /// multisession do.
    private func endsFormer(_ string: String) -> Bool {
        string == ExternalAccessory.legacyString
            || mutant == .endsFormerMultisession && string == ExternalAccessory.multisessionString
    }

    /// The connections with sessions under a string, the oldest first.
    func links(under string: String) -> [HeadUnitLink] {
        connections.filter { $0.value.session?.protocolString == string }.keys.sorted()
    }

    /// Why a session is not opened; `nil` if it is.
    private func refusal(of wish: ExternalAccessory.Session) -> String? {
        let string = wish.protocolString ?? ""
        let multisessions = links(under: ExternalAccessory.multisessionString)
        switch mutant {
        case .refusesMultisession where string == ExternalAccessory.multisessionString:
            return "not supported"
        case .secondMultisessionRefused
        where string == ExternalAccessory.multisessionString && !multisessions.isEmpty:
            return "in use"
        case .thirdMultisessionRefused
        where string == ExternalAccessory.multisessionString && multisessions.count > 1,
            .eighthMultisessionRefused
        where string == ExternalAccessory.multisessionString && multisessions.count > 6:
            return "in use"
        case .hubOnce where string == ExternalAccessory.controlString && hub.hasTold,
            .hubWithoutMultisessions
        where string == ExternalAccessory.controlString && !multisessions.isEmpty:
            return "not available"
        case .refusesDedicated where string.isDedicated:
            return "not supported"
        default: break
        }
        guard wish.accessoryID == Self.accessoryID else { return "no such accessory" }
        guard declaredProtocols.contains(string) else { return "not declared" }
        if string == ExternalAccessory.controlString, freeIndices.isEmpty { return "all in use" }
        return string.isDedicated && !links(under: string).isEmpty ? "in use" : nil
    }

    // MARK: - The hub

    /// The indices of declared dedicated strings under which no app holds a session.
    private var freeIndices: [UInt8] {
        declaredProtocols.compactMap(\.dedicatedIndex).filter {
            links(under: ExternalAccessory.dedicatedString($0)).isEmpty
                && (mutant != .neverFreesIndex || !hub.used.contains($0))
        }
    }

    /// Tells an app over the hub which dedicated string it may use.
    private mutating func tellIndex(on link: HeadUnitLink) {
        guard let index = hub.next(of: freeIndices) ?? mutantIndex else { return }
        let told: [UInt8]? =
            switch mutant {
            case .tellsNoIndex: nil
            case .tellsZero: [0]
            case .tellsUndeclaredIndex: [ExternalAccessory.dedicatedIndices.upperBound + 1]
            case .tellsSameIndex: [hub.first ?? index]
            case .tellsTwoBytes: [0, index]
            case .tellsTwice: [index, index]
            default: [index]
            }
        guard let told else { return }
        log(.indexTold, link, [.init("index", .integer(Int64(index)))])
        send(told, on: link)
    }

    /// An index to tell although no dedicated string is declared.
    private var mutantIndex: UInt8? { mutant == .undeclaredDedicated ? 1 : nil }
}

/// Which dedicated strings the hub has told apps to use.
struct HeadUnitHub: Sendable {
    /// Indices that were told and under which no session has been opened since, the oldest first.
    private var promised: [UInt8] = []
    /// Every index that was told.
    private(set) var used: Set<UInt8> = []
    /// The index that was told first.
    private(set) var first: UInt8?

    /// Whether an index was ever told.
    var hasTold: Bool { first != nil }

    /// The lowest free index that no app was promised; `nil` if none is free.
    ///
    /// Where each was promised, it is the one whose app has let wait longest.
    mutating func next(of free: [UInt8]) -> UInt8? {
        let index =
            free.filter { !promised.contains($0) }.min() ?? promised.first(where: free.contains)
        guard let index else { return nil }
        take(index)
        promised.append(index)
        used.insert(index)
        first = first ?? index
        return index
    }

    /// An app has come under that index, as it was told.
    mutating func take(_ index: UInt8) { promised.removeAll { $0 == index } }
}

extension String {
    /// The index of a dedicated string; `nil` of any other.
    fileprivate var dedicatedIndex: UInt8? {
        ExternalAccessory.dedicatedIndices.first { ExternalAccessory.dedicatedString($0) == self }
    }

    fileprivate var isDedicated: Bool { dedicatedIndex != nil }
}
