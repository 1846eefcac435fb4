import Bluetooth

/// The rules of an app with profile connections; a mutant breaks one of them, a habit none.
struct ProfileRules: Sendable {
    private let mutant: ProfileAppMutant?
    private let habits: Set<ProfileAppHabit>

    init(_ mutant: ProfileAppMutant?, habits: Set<ProfileAppHabit> = []) {
        self.mutant = mutant
        self.habits = habits
    }

    func has(_ habit: ProfileAppHabit) -> Bool { habits.contains(habit) }

    func makes(_ mistake: ProfileAppMutant) -> Bool { mutant == mistake }

    // MARK: Eligible peripherals (PCM-2, PCM-12)

    /// Returns the class that matches an advertisement; `nil` if none does.
    func profileClass(
        for data: AdvertisingData, isScanResponse: Bool, among classes: [ProfileClass]
    ) -> ProfileClass? {
        let candidates = classes.filter { $0.carrier == .gatt }
        if makes(.reportsEveryAdvertisement) { return candidates.first }
        if makes(.matchesNameOnly) { return data.name == "band" ? candidates.first : nil }
        if makes(.ignoresScanResponse), isScanResponse { return nil }
        let stated = services(of: data)
        let found = candidates.first { candidate in
            let wanted = candidate.serviceUUIDsInADV
            return (makes(.firstUUIDOnly) ? Array(wanted.prefix(1)) : wanted).contains(
                where: stated.contains)
        }
        return makes(.firstClassWins) && found != nil ? candidates.first : found
    }

    /// Returns the services that an advertisement offers.
    private func services(of data: AdvertisingData) -> [BluetoothUUID] {
        typealias Kind = AdvertisingData.Kind
        var counted = data
        counted.structures = data.structures.filter { structure in
            switch structure.type {
            case Kind.incompleteUUIDs16, Kind.completeUUIDs16:
                !makes(.ignores16BitUUIDs) && counts(structure.type)
            case Kind.incompleteUUIDs128, Kind.completeUUIDs128:
                !makes(.ignores128BitUUIDs) && counts(structure.type)
            default: counts(structure.type)
            }
        }
        guard makes(.matchesServiceData) else { return counted.services }
        return counted.services
            + data.structures.compactMap { structure in
                switch structure.type {
                case Kind.serviceData16:
                    BluetoothUUID(littleEndian: structure.data.prefix(2))
                case Kind.serviceData128:
                    BluetoothUUID(littleEndian: structure.data.prefix(16))
                default: nil
                }
            }
    }

    private func counts(_ type: UInt8) -> Bool {
        !makes(.ignoresIncompleteLists) || type % 2 == 1
    }

    // MARK: Eligible accessories (PCM-11, PCM-12)

    /// Returns the class that matches the strings of an accessory; `nil` if none does.
    func profileClass(
        for protocols: [String], via: String, among classes: [ProfileClass]
    ) -> ProfileClass? {
        let candidates = classes.filter { $0.carrier == .iap }
        if makes(.matchesAnyAccessory) || makes(.retrievesEverything) && via == "retrieve" {
            return candidates.first
        }
        let found = candidates.first { candidate in
            protocols.contains { isSame($0, candidate.communicationProtocol) }
        }
        return makes(.firstClassWins) && found != nil ? candidates.first : found
    }

    private func isSame(_ string: String, _ other: String) -> Bool {
        makes(.comparesStringsLoosely)
            ? string.lowercased() == other.lowercased() : string == other
    }

    /// Returns the string under which a session is opened.
    func sessionString(of kind: ProfileClass, declared: [String]) -> String {
        let wanted = kind.communicationProtocol
        if makes(.opensFirstString) { return declared.first ?? wanted }
        return declared.first { isSame($0, wanted) } ?? wanted
    }

    /// Returns the part of the application data that is sent.
    func whole(_ data: [UInt8]) -> [UInt8] {
        makes(.cutsAtTwenty) ? Array(data.prefix(20)) : data
    }

    // MARK: The steps of an activation (PCM-4, PCM-5, PCM-6)

    /// Returns the operations once the service is known: subscriptions, then reads.
    func operations(of kind: ProfileClass) -> [GATTSetup.Operation] {
        let subscriptions =
            makes(.neverSubscribes)
            ? [] : kind.subscribes.map { GATTSetup.Operation.subscribe($0) }
        let reads = kind.reads.map { GATTSetup.Operation.read($0) }
        let early: [GATTSetup.Operation] =
            makes(.writesEarly) ? [.write(Array("early".utf8))] : []
        let names = has(.readsNames) ? ProfileAppHabit.names : []
        return names.map { .readByType($0) } + early
            + (makes(.readsBeforeSubscribing) ? reads + subscriptions : subscriptions + reads)
            + (has(.readsTwice) ? reads : [])
    }

    /// Returns the characteristic that is subscribed to.
    func subscribed(
        _ uuid: BluetoothUUID, among characteristics: [GATTSetup.Characteristic]
    ) -> GATTSetup.Characteristic? {
        let configurable = characteristics.filter { $0.configuration != nil }
        if makes(.subscribesWrongCharacteristic) { return configurable.first { $0.uuid != uuid } }
        // Service Changed comes first, but must not be mistaken for the characteristic.
        return configurable.first { $0.uuid == uuid }
            ?? (subscribesWithoutService ? configurable.last : nil)
    }

    /// Milliseconds after which a request counts as never answered (Core 5.4 Vol 3 Part F 3.3.3).
    var answerTimeout: Int {
        if makes(.doesWithoutLateAnswers) { return 10_000 }
        return makes(.takesLateAnswerForNext) || has(.waitsBriefly) ? 2_000 : 30_000
    }

    /// Whether the app continues without an answer that is late.
    var goesOnWithoutAnswer: Bool {
        makes(.takesLateAnswerForNext) || makes(.doesWithoutLateAnswers)
    }

    var reportsSuccessBeforeRead: Bool { makes(.reportsSuccessBeforeRead) }
    /// Whether a deactivation keeps the link that the activation made.
    func keepsOwnLink(_ carrier: ProfileClass.Carrier) -> Bool {
        makes(.keepsLinkOnDeactivation) || carrier == .iap && makes(.keepsAccessoryLink)
    }

    var alwaysNotifies: Bool { makes(.alwaysNotifies) }
    var ignoresRefusedRead: Bool { makes(.ignoresRefusedRead) }
    var ignoresRefusedSubscription: Bool { makes(.ignoresRefusedSubscription) }
    var subscribesWithoutService: Bool { makes(.subscribesWithoutService) }
    var succeedsWithoutService: Bool { makes(.succeedsWithoutService) }
}
