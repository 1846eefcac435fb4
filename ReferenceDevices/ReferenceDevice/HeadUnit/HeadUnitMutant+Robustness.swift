extension HeadUnitMutant {
    /// What it does wrong when an app sends what it must not, in one sentence.
    var robustnessSummary: String {
        switch self {
        case .exitsOnLongLists: "Exits when a request has a list that is too long."
        case .exitsOnNumbersOutOfRange: "Exits when a request has a number that is out of range."
        case .exitsOnUnknownWords: "Exits when a request has a word that an enumeration lacks."
        case .exitsOnIncompleteRequests: "Exits when a request lacks a mandatory parameter."
        case .crashesOnNull: "Crashes when a request has null for a parameter."
        case .crashesOnMalformed: "Crashes when a message cannot be decoded."
        case .hangsOnWrongTypes: "Hangs when a request has a value of another type."
        case .hangsOnMalformed: "Hangs when a message cannot be decoded."
        case .endsOthersOnMalformed:
            "Ends the connections of other phones when a message cannot be decoded."
        case .unregistersOthersOnWrongValues:
            "Unregisters the apps of other phones when a request has a wrong value."
        case .silentAboutNull: "Does not answer requests with null for a parameter."
        case .silentAboutLongTexts: "Does not answer requests with texts that are too long."
        case .silentAboutNumbers: "Does not answer requests with numbers that are out of range."
        case .answersTwice: "Answers requests with wrong values twice."
        case .refusesWithSuccess: "Refuses requests with wrong values with the result SUCCESS."
        case .spinsAfterWrongValues: "Never waits again after a request with a wrong value."
        case .keepsWrongValues: "Keeps eight MiB for each request with a wrong value."
        case .keepsDescriptors: "Keeps two descriptors for each request with a wrong value."
        default: ""
        }
    }

    /// The requirements whose situation does not arise because of a mistake about wrong messages.
    ///
    /// Whatever is sent wrong to measure what it costs shows the mistake too, and a device that has
    /// ended answers no further request.
    var robustnessMasks: [String] {
        switch requirements.first {
        case "SPX-55": ["SPX-53", "SPX-54", "SPX-64"]
        case "SPX-53", "SPX-54": ["SPX-64"]
        default: []
        }
    }
}
