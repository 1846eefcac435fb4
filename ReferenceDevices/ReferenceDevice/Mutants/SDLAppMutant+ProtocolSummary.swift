extension SDLAppMutant {
    /// What it does wrong in the protocol itself, in one sentence.
    var protocolSummary: String {
        switch self {
        case .startsInVersion5:
            "Begins with StartService in a frame of version 5."
        case .startsWithSession1:
            "Invents a session id for its first StartService."
        case .writesShortVersion:
            "States its version as two numbers."
        case .keepsOwnVersion:
            "Continues in its own version, whatever the head unit uses."
        case .negatesCorrelationIDs:
            "Gives its requests negative correlation ids."
        case .ignoresMTU:
            "Does not split messages at the MTU of StartServiceACK."
        case .keepsSession1:
            "Uses session id 1, whatever the head unit assigns."
        case .needsMTU:
            "Exits when StartServiceACK has no mtu."
        case .needsHashID:
            "Exits when StartServiceACK has no hashId."
        case .registersWhenRefused:
            "Registers although the service was refused."
        case .registersTwice:
            "Sends its registration twice."
        case .asksBeforeRegistration:
            "Requests the list of files before its registration is answered."
        case .asksWhenNotRegistered:
            "Requests the list of files after its registration was refused."
        case .ignoresHeartbeat:
            "Does not answer heartbeats."
        case .registersWithoutName:
            "Leaves the mandatory appName out of its registration."
        case .needsWholeFrames:
            "Discards bytes that arrive in pieces shorter than a header."
        case .splitsAtTwiceMTU:
            "Splits messages into frames of twice the MTU of StartServiceACK."
        case .numbersAfter255From0:
            "Gives the consecutive frame after the 255th the number 0."
        case .endsWithoutSession:
            "Ends the RPC service before it has been started."
        case .endsWithAnotherHash:
            "Ends the RPC service with a wrong hash."
        case .silentAboutEnd:
            "Does not acknowledge the end of the service by the head unit."
        case .leavesOnUnknown:
            "Ends the connection on an unknown notification."
        case .leavesOnNewParameter:
            "Ends the connection on an unknown parameter."
        case .checksumOfAnotherFile:
            "Sends the checksum of another file with each file."
        case .goesOnUnregistered:
            "Continues to send requests after the head unit has unregistered it."
        case .leavesOnUnused:
            "Ends the connection on OnTouchEvent, which it does not use."
        case .leavesOnUnknownWord:
            "Ends the connection on an unknown value of an enumeration."
        case .leavesOnStrayAnswer:
            "Ends the connection on a response to no request of its own."
        case .endsOnMalformed:
            "Exits when a message cannot be decoded."
        case .endsOnIncomplete:
            "Exits when a notification lacks a mandatory parameter."
        case .endsOnWrongValue:
            "Exits when a parameter of a notification has the wrong type."
        case .endsOnLongText:
            "Exits when a text of a notification is too long."
        case .endsOnLongList:
            "Exits when a list of a notification is too long."
        case .endsOnNumberOutOfRange:
            "Exits when a number of a notification is out of range."
        case .endsOnUnknownWord:
            "Exits when a notification has a word that an enumeration lacks."
        case .endsOnSecondStart:
            "Exits when its service is acknowledged once more."
        case .endsOnForeignSession:
            "Exits when a message belongs to another session."
        case .crashesOnNull:
            "Crashes when a parameter of a notification is null."
        case .hangsOnWrongValue:
            "Hangs when a parameter of a notification has the wrong type."
        case .hangsOnMalformed:
            "Hangs when a message cannot be decoded."
        case .staysAwayAfterMalformed:
            "Does not connect again after a message that cannot be decoded."
        case .spinsAfterWrongValue:
            "Never waits again after a notification with a wrong value."
        case .keepsWrongValues:
            "Keeps eight MiB for each notification with a wrong value."
        case .keepsDescriptors:
            "Keeps two descriptors for each notification with a wrong value."
        case .unregistersAfterEnd:
            "Unregisters after it has ended the service."
        case .returnsWithoutNames:
            "Registers without ttsName and vrSynonyms from the second time on."
        case .staysUnregistered:
            "Stays connected and silent after the head unit has unregistered it."
        default: ""
        }
    }
}
