import ExternalAccessory

/// The accessory's side of sessions by protocol string: the declaration, and the hub strategy.
///
/// See document 000, Head Unit.
extension SDLHeadUnit {
    /// The head unit's id as an accessory; it is the only one of each phone.
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

    /// Handles a message of a phone to the accessory.
    mutating func consume(_ message: ExternalAccessory.Message, on link: HeadUnitLink) {
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
        if let index = string.dedicatedIndex { hub.consume(index) }
        if string == ExternalAccessory.controlString
            || mutant == .indexOnMultisession && string == ExternalAccessory.multisessionString
        {
            tellIndex(on: link)
        }
    }

    /// Whether a new app's session ends the previous one, as on head units without multisession.
    private func endsFormer(_ string: String) -> Bool {
        string == ExternalAccessory.legacyString
            || mutant == .endsFormerMultisession && string == ExternalAccessory.multisessionString
    }

    /// Returns the connections with sessions under a string, oldest first.
    func links(under string: String) -> [HeadUnitLink] {
        connections.filter { $0.value.session?.protocolString == string }.keys.sorted()
    }

    /// Returns why a session is refused; `nil` if it is opened.
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

    /// Sends an app over the hub the index of the dedicated string that it may use.
    private mutating func tellIndex(on link: HeadUnitLink) {
        guard let index = hub.next(of: freeIndices) ?? mutantIndex else { return }
        let stated: [UInt8]? =
            switch mutant {
            case .tellsNoIndex: nil
            case .tellsZero: [0]
            case .tellsUndeclaredIndex: [ExternalAccessory.dedicatedIndices.upperBound + 1]
            case .tellsSameIndex: [hub.first ?? index]
            case .tellsTwoBytes: [0, index]
            case .tellsTwice: [index, index]
            default: [index]
            }
        guard let stated else { return }
        log(.indexTold, link, [.init("index", .integer(Int64(index)))])
        send(stated, on: link)
    }

    /// The index to send although no dedicated string is declared.
    private var mutantIndex: UInt8? { mutant == .undeclaredDedicated ? 1 : nil }
}

/// The dedicated strings that the hub has assigned to apps.
struct HeadUnitHub: Sendable {
    /// Indices that were sent and under which no session has been opened since, oldest first.
    private var promised: [UInt8] = []
    /// Every index that was sent.
    private(set) var used: Set<UInt8> = []
    /// The index that was sent first.
    private(set) var first: UInt8?

    /// Whether an index was ever sent.
    var hasTold: Bool { first != nil }

    /// Returns the lowest free index that is not promised to an app; `nil` if none is free.
    ///
    /// If every free index is promised, it returns the one that has been promised for the longest
    /// time.
    mutating func next(of free: [UInt8]) -> UInt8? {
        let index =
            free.filter { !promised.contains($0) }.min() ?? promised.first(where: free.contains)
        guard let index else { return nil }
        consume(index)
        promised.append(index)
        used.insert(index)
        first = first ?? index
        return index
    }

    /// Handles a session that an app has opened under its promised index.
    mutating func consume(_ index: UInt8) { promised.removeAll { $0 == index } }
}

extension String {
    /// The index of a dedicated string; `nil` for any other.
    fileprivate var dedicatedIndex: UInt8? {
        ExternalAccessory.dedicatedIndices.first { ExternalAccessory.dedicatedString($0) == self }
    }

    fileprivate var isDedicated: Bool { dedicatedIndex != nil }
}
