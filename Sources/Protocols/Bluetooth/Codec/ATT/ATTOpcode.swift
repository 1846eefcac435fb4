/// The operations of the Attribute Protocol (Core 5.4 Vol 3 Part F 3.4.8).
public enum ATTOpcode: UInt8, Sendable, Hashable, CaseIterable {
    case errorResponse = 0x01
    case exchangeMTURequest = 0x02
    case exchangeMTUResponse = 0x03
    case findInformationRequest = 0x04
    case findInformationResponse = 0x05
    case findByTypeValueRequest = 0x06
    case findByTypeValueResponse = 0x07
    case readByTypeRequest = 0x08
    case readByTypeResponse = 0x09
    case readRequest = 0x0A
    case readResponse = 0x0B
    case readBlobRequest = 0x0C
    case readBlobResponse = 0x0D
    case readMultipleRequest = 0x0E
    case readMultipleResponse = 0x0F
    case readByGroupTypeRequest = 0x10
    case readByGroupTypeResponse = 0x11
    case writeRequest = 0x12
    case writeResponse = 0x13
    case prepareWriteRequest = 0x16
    case prepareWriteResponse = 0x17
    case executeWriteRequest = 0x18
    case executeWriteResponse = 0x19
    case handleValueNotification = 0x1B
    case handleValueIndication = 0x1D
    case handleValueConfirmation = 0x1E
    case readMultipleVariableRequest = 0x20
    case readMultipleVariableResponse = 0x21
    case multipleHandleValueNotification = 0x23
    case writeCommand = 0x52
    case signedWriteCommand = 0xD2

    /// Whether it is a request, which is answered by the response with the next opcode or an error.
    public var isRequest: Bool { response != nil }

    /// The response that answers a request.
    public var response: ATTOpcode? {
        switch self {
        case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest,
            .readByTypeRequest, .readRequest, .readBlobRequest, .readMultipleRequest,
            .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest, .executeWriteRequest,
            .readMultipleVariableRequest:
            ATTOpcode(rawValue: rawValue + 1)
        default: nil
        }
    }

    /// Whether it is a response to a request, including an error.
    public var isResponse: Bool {
        self == .errorResponse
            || rawValue & 1 == 1 && rawValue < 0x22
                && ATTOpcode(rawValue: rawValue - 1)?.isRequest == true
    }
}

/// The reasons to refuse a request (Core 5.4 Vol 3 Part F 3.4.1.1, Core Specification Supplement
/// Part B).
public enum ATTError: UInt8, Sendable, Hashable, CaseIterable {
    case invalidHandle = 0x01
    case readNotPermitted = 0x02
    case writeNotPermitted = 0x03
    case invalidPDU = 0x04
    case insufficientAuthentication = 0x05
    case requestNotSupported = 0x06
    case invalidOffset = 0x07
    case insufficientAuthorization = 0x08
    case prepareQueueFull = 0x09
    case attributeNotFound = 0x0A
    case attributeNotLong = 0x0B
    case encryptionKeySizeTooShort = 0x0C
    case invalidValueLength = 0x0D
    case unlikelyError = 0x0E
    case insufficientEncryption = 0x0F
    case unsupportedGroupType = 0x10
    case insufficientResources = 0x11
    case databaseOutOfSync = 0x12
    case valueNotAllowed = 0x13
    case writeRequestRejected = 0xFC
    case clientConfigurationImproper = 0xFD
    case procedureAlreadyInProgress = 0xFE
    case outOfRange = 0xFF
}
