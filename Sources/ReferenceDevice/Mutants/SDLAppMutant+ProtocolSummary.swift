extension SDLAppMutant {
    /// What it does wrong in the protocol itself, in one sentence.
    var protocolSummary: String {
        switch self {
        case .startsInVersion5:
            "Begins with StartService in a frame of version 5."
        case .startsWithSession1:
            "Makes up a session id for its first StartService."
        case .writesShortVersion:
            "Says its version as two numbers."
        case .keepsOwnVersion:
            "Goes on in its own version, whatever the head unit speaks."
        case .negatesCorrelationIDs:
            "Gives its requests negative correlation ids."
        case .ignoresMTU:
            "Does not cut messages to the MTU of StartServiceACK."
        case .keepsSession1:
            "Uses session id 1, whatever the head unit assigns."
        case .needsMTU:
            "Ends when StartServiceACK has no mtu."
        case .needsHashID:
            "Ends when StartServiceACK has no hashId."
        case .registersWhenRefused:
            "Registers although the service was refused."
        case .registersTwice:
            "Sends its registration twice."
        case .asksBeforeRegistration:
            "Asks for the list of files before its registration is answered."
        case .asksWhenNotRegistered:
            "Asks for the list of files after its registration was refused."
        case .ignoresHeartbeat:
            "Does not answer heartbeats."
        case .registersWithoutName:
            "Leaves the mandatory appName out of its registration."
        case .needsWholeFrames:
            "Throws away what comes in less than a header."
        case .splitsAtTwiceMTU:
            "Splits messages into frames of twice the MTU that the head unit has named."
        case .numbersAfter255From0:
            "Numbers the frame after the 255th consecutive one 0."
        case .endsWithoutSession:
            "Ends the RPC service before it was started."
        case .endsWithAnotherHash:
            "Ends the RPC service with another hash than that of its start."
        case .silentAboutEnd:
            "Does not acknowledge the end of the service by the head unit."
        case .leavesOnUnknown:
            "Ends the connection on a notification that it does not know."
        case .leavesOnNewParameter:
            "Ends the connection on a parameter that it does not know."
        case .checksumOfAnotherFile:
            "Sends the checksum of another file with each file."
        case .goesOnUnregistered:
            "Goes on when the head unit has unregistered it."
        case .leavesOnUnused:
            "Ends the connection on OnTouchEvent, which it does not use."
        case .leavesOnUnknownWord:
            "Ends the connection on a word that its enumeration does not have."
        case .leavesOnStrayAnswer:
            "Ends the connection on a response that it has not asked for."
        case .endsOnMalformed:
            "Exits when a message does not decode."
        case .endsOnIncomplete:
            "Exits when a notification lacks what is mandatory."
        case .endsOnWrongValue:
            "Exits when a parameter of a notification is of another type."
        case .unregistersAfterEnd:
            "Unregisters after it has ended the service."
        case .returnsWithoutNames:
            "Registers without its other names from the second time on."
        case .staysUnregistered:
            "Stays connected and silent when the head unit has unregistered it."
        default: ""
        }
    }
}
