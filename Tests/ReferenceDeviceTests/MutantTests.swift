import Testing
import Wire

@testable import conform_device

@Suite("Mutants")
struct MutantTests {
    @Test(
        "The golden app meets every requirement in every situation",
        arguments: Situation.all.indices)
    func golden(index: Int) {
        let situation = Situation.all[index]
        #expect(situation.isKept(nil), "\(situation.requirement): \(situation.title)")
    }

    /// Mutants of states and differences that have no situation here.
    ///
    /// Mutants of the protocol itself are not listed. `conform prove` shows that the suites find
    /// both.
    private static let foundBySuites: Set<SDLAppMutant> = [
        .comparesLanguageCodes, .changesByResultCode, .comparesDisplayLanguage,
        .supportsLanguageCodes,
        .needsNames, .forgetsRefusedLanguage, .changesOnNotification, .keepsFirstNames,
        .changesToEachOnce, .comparesWithLastHeadUnit, .storesFirstLifeOnly, .trimsHash,
        .dropsWaitingData, .tellsDelegateAlways, .takesWarningsForRefusal,
        .resendsAfterReconnection, .losesCallbackAfterReconnection, .ignoresLetterCase,
        .ignoresClearedText, .ignoresTextField4, .ignoresMediaTrack, .ignoresAlignment,
        .ignoresMetadataTypes, .ignoresSecondaryGraphic, .ignoresButtonState,
        .ignoresButtonOrder, .ignoresCellVoiceCommands, .ignoresSubCells, .comparesFirstSynonym,
        .comparesFirstChoiceSynonym, .ignoresSecondChoice, .keepsTextsAfterRefusal,
        .keepsVoiceCommandsAfterRefusal, .keepsFilesAfterRefusal, .losesCallbackAfterRefusal,
        .storesRefusedItems, .storesClearedText, .speaksNamesAsText, .namesInASCII,
        .callsHandlersTwice, .ignoresBlanks, .resendsMenuWithText, .skipsResumedRegistration,
        .skipsRefusedHash, .keepsLanguageOnce, .keepsFirstChange, .remembersRefusal,
        .deafWhenRefused, .forgetsOnEndOfService, .showsNothing, .losesCallbackBesideDifference,
        .ignoresLaterData, .matchesFormerData, .trustsLaterHashes, .usesDataOfSameModel,
        .remembersString, .prefersControlWhenNotified, .matchesTrimmed,
        .departureBeginsSetup, .triesAtLeastOnce, .sendsHashTwice, .readsIndexOfTwoBytes,
        .leavesSilentSessionOpen,
    ]

    @Test(
        "A mutant breaks the requirements that it names and no others",
        arguments: SDLAppMutant.allCases)
    func breaksExactly(mutant: SDLAppMutant) {
        let broken = Set(
            Situation.all.filter { !$0.isKept(mutant) }.map(\.requirement))
        let isOfProtocol = mutant.requirements.first?.hasPrefix("SPX-") == true
        if !isOfProtocol, !Self.foundBySuites.contains(mutant) {
            #expect(broken.isSuperset(of: mutant.requirements))
        }
        var allowed = Set(mutant.requirements + mutant.masks)
        // An app that sends stored data again breaks all of these, with data of every kind.
        let aboutTheSame: Set = ["RHM-5", "RHM-6", "RHM-7", "RHM-11"]
        if !allowed.isDisjoint(with: aboutTheSame) { allowed.formUnion(aboutTheSame) }
        #expect(broken.isSubset(of: allowed), "also broken: \(broken.subtracting(allowed))")
    }

    @Test("Each requirement of the catalogue has a mutant")
    func complete() {
        let covered = Set(SDLAppMutant.allCases.compactMap(\.requirements.first))
        let requirements =
            (1...11).map { "CRM-\($0)" } + (1...12).map { "RHM-\($0)" }
            + ((1...11) + [14]).map { "MSP-\($0)" }
            + ([1, 2, 3, 9, 12, 13, 19, 22, 23, 25, 26, 34, 35, 40, 41, 42, 48] + (56...58) + [
                62, 63, 64,
            ])
            .map { "SPX-\($0)" }
        #expect(covered == Set(requirements))
    }

    @Test("A mutant that crashes requests only the crash")
    func crash() {
        var rig = AppRig(.multilingual, mutant: .crashesWhenRefused)
        rig.register(with: "DE-DE")
        rig.answerChange(success: false)
        #expect(rig.actions.last == .crash)
    }

    @Test("A mutant that unregisters ends the session and exits with code 3")
    func unregisters() {
        var rig = AppRig(.multilingual, mutant: .unregistersWhenRefused)
        rig.register(with: "DE-DE")
        rig.answerChange(success: false)
        rig.answer("UnregisterAppInterface", ["success": true, "resultCode": "SUCCESS"])
        rig.control(.endServiceACK)
        #expect(rig.names.suffix(2) == ["UnregisterAppInterface.request", "EndService"])
        #expect(rig.exitCode == 3)
    }

    @Test("A mutant that closes connects again")
    func closes() {
        var rig = AppRig(.multilingual, mutant: .closesWhenRefused)
        rig.register(with: "DE-DE")
        rig.answerChange(success: false)
        #expect(rig.actions.contains(.close))
        #expect(rig.actions.last == .startTimer(.reconnect, milliseconds: 500))
    }
}
