import Bluetooth

/// What an app with profile connections goes by; a mutant breaks one of them, a habit none.
struct ProfileRules: Sendable {
    private let mutant: ProfileAppMutant?
    private let habits: Set<ProfileAppHabit>

    init(_ mutant: ProfileAppMutant?, habits: Set<ProfileAppHabit> = []) {
        self.mutant = mutant
        self.habits = habits
    }

    func has(_ habit: ProfileAppHabit) -> Bool { habits.contains(habit) }

    func makes(_ mistake: ProfileAppMutant) -> Bool { mutant == mistake }

    // MARK: Which peripherals are eligible (PCM-2, PCM-12)

    /// The class that an advertisement is for; `nil` if for none.
    func profileClass(
        for data: AdvertisingData, isScanResponse: Bool, among classes: [ProfileClass]
    ) -> ProfileClass? {
        let candidates = classes.filter { $0.carrier == .gatt }
        if makes(.reportsEveryAdvertisement) { return candidates.first }
        if makes(.matchesNameOnly) { return data.name == "band" ? candidates.first : nil }
        if makes(.ignoresScanResponse), isScanResponse { return nil }
        let told = services(of: data)
        let found = candidates.first { candidate in
            let wanted = candidate.serviceUUIDsInADV
            return (makes(.firstUUIDOnly) ? Array(wanted.prefix(1)) : wanted).contains(
                where: told.contains)
        }
        return makes(.firstClassWins) && found != nil ? candidates.first : found
    }

    /// The services that an advertisement offers.
    private func services(of data: AdvertisingData) -> [BluetoothUUID] {
        var counted = data
        counted.structures = data.structures.filter { structure in
            switch structure.type {
            case 0x02, 0x03: !makes(.ignores16BitUUIDs) && counts(structure.type)
            case 0x06, 0x07: !makes(.ignores128BitUUIDs) && counts(structure.type)
            default: counts(structure.type)
            }
        }
        guard makes(.matchesServiceData) else { return counted.services }
        return counted.services
            + data.structures.compactMap { structure in
                switch structure.type {
                case AdvertisingData.Kind.serviceData16:
                    BluetoothUUID(littleEndian: structure.data.prefix(2))
                case AdvertisingData.Kind.serviceData128:
                    BluetoothUUID(littleEndian: structure.data.prefix(16))
                default: nil
                }
            }
    }

    private func counts(_ type: UInt8) -> Bool {
        !makes(.ignoresIncompleteLists) || type % 2 == 1
    }

    // MARK: Which accessories are (PCM-11, PCM-12)

    /// The class that an accessory is for, by the strings that it declares; `nil` if for none.
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

    /// The string that a session is opened under.
    func sessionString(of kind: ProfileClass, declared: [String]) -> String {
        let wanted = kind.communicationProtocol
        if makes(.opensFirstString) { return declared.first ?? wanted }
        return declared.first { isSame($0, wanted) } ?? wanted
    }

    /// The application data that are sent of what is to be.
    func whole(_ data: [UInt8]) -> [UInt8] {
        makes(.cutsAtTwenty) ? Array(data.prefix(20)) : data
    }

    // MARK: What an activation does (PCM-4, PCM-5, PCM-6)

    /// What is done once the service is known: subscriptions, then reads.
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

    /// The characteristic that is subscribed to.
    func subscribed(
        _ uuid: BluetoothUUID, among characteristics: [GATTSetup.Characteristic]
    ) -> GATTSetup.Characteristic? {
        let configurable = characteristics.filter { $0.configuration != nil }
        if makes(.subscribesWrongCharacteristic) { return configurable.first { $0.uuid != uuid } }
        // Service Changed comes first, and is not what it takes for its channel.
        return configurable.first { $0.uuid == uuid }
            ?? (subscribesWithoutService ? configurable.last : nil)
    }

    /// Milliseconds after which a request counts as never answered (Core 5.4 Vol 3 Part F 3.3.3).
    var answerTimeout: Int {
        if makes(.doesWithoutLateAnswers) { return 10_000 }
        return makes(.takesLateForNext) || has(.waitsBriefly) ? 2_000 : 30_000
    }

    /// Whether what is not answered in time is passed over.
    var goesOnWithoutAnswer: Bool {
        makes(.takesLateForNext) || makes(.doesWithoutLateAnswers)
    }

    var reportsSuccessBeforeRead: Bool { makes(.reportsSuccessBeforeRead) }
    /// Whether a deactivation leaves the link that the activation made.
    func keepsOwnLink(_ carrier: ProfileClass.Carrier) -> Bool {
        makes(.keepsLinkOnDeactivation) || carrier == .iap && makes(.keepsAccessoryLink)
    }

    var alwaysNotifies: Bool { makes(.alwaysNotifies) }
    var ignoresRefusedRead: Bool { makes(.ignoresRefusedRead) }
    var ignoresRefusedSubscription: Bool { makes(.ignoresRefusedSubscription) }
    var subscribesWithoutService: Bool { makes(.subscribesWithoutService) }
    var succeedsWithoutService: Bool { makes(.succeedsWithoutService) }
}
