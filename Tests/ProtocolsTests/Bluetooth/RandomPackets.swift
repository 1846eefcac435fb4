import TestSupport

@testable import Bluetooth

/// Packets of every kind with random contents, for round trips.
struct RandomPackets {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func bytes(upTo limit: Int) -> [UInt8] { random.bytes(random.below(limit + 1)) }
    mutating func uint8() -> UInt8 { UInt8.random(in: .min ... .max, using: &random) }
    mutating func uint16() -> UInt16 { UInt16.random(in: .min ... .max, using: &random) }
    mutating func list<Item>(_ limit: Int, atLeast least: Int = 1, _ make: (inout Self) -> Item)
        -> [Item]
    {
        (0..<(least + random.below(limit))).map { _ in make(&self) }
    }

    mutating func uuid(_ sizes: [Int] = [2, 16]) -> BluetoothUUID {
        BluetoothUUID(littleEndian: random.bytes(sizes[random.below(sizes.count)]))
            ?? BluetoothUUID(0)
    }

    // MARK: HCI

    mutating func parameters(_ layout: [HCIParameter]) -> HCIParameters {
        var made: HCIParameters = [:]
        for parameter in layout { made[parameter.field] = value(parameter.form, behind: made) }
        return made
    }

    private mutating func value(_ form: HCIParameter.Form, behind made: HCIParameters) -> HCIValue {
        switch form {
        case .uint8: .number(uint8())
        case .int8: .number(Int8(bitPattern: uint8()))
        case .uint16: .number(uint16())
        case .uint24: .number(random.next() & 0xFF_FFFF)
        case .uint32: .number(random.next() & 0xFFFF_FFFF)
        case .uint64: .number(random.next())
        case .handle: .number(uint16() & 0x0FFF)
        case .address: .address(random.next() & 0xFFFF_FFFF_FFFF)
        case .bytes(let count): .bytes(random.bytes(count))
        case .counted, .rest: .bytes(bytes(upTo: 20))
        case .records(let parts): .records(list(3, atLeast: 0) { $0.parameters(parts) })
        case .recordPerBit(let mask, let parts):
            .records(
                (0..<(made.number(mask) ?? 0).nonzeroBitCount).map { _ in parameters(parts) })
        }
    }

    mutating func hci() -> HCIPacket {
        switch random.below(5) {
        case 0:
            let layout = HCILayouts.commands[random.below(HCILayouts.commands.count)]
            return .command(HCICommand(layout.opcode, parameters(layout.parameters)))
        case 1:
            let layout = HCILayouts.events[random.below(HCILayouts.events.count)]
            return .event(HCIEvent(layout.kind, parameters(layout.parameters)))
        case 2:
            return .acl(
                ACLPacket(
                    handle: uint16(), boundary: .allCases[random.below(4)], broadcast: uint8(),
                    payload: bytes(upTo: 300)))
        case 3:
            return .synchronous(
                SCOPacket(handle: uint16(), status: uint8(), payload: bytes(upTo: 255)))
        default:
            return .isochronous(
                ISOPacket(
                    handle: uint16(), boundary: uint8(), hasTimestamp: random.below(2) == 0,
                    payload: bytes(upTo: 300)))
        }
    }

    // MARK: L2CAP

    mutating func signal() -> L2CAPSignal {
        func credits(_ made: inout Self) -> L2CAPSignal.Credits {
            L2CAPSignal.Credits(
                mtu: made.uint16(), mps: made.uint16(), initial: made.uint16())
        }
        func options(_ made: inout Self) -> [L2CAPSignal.Option] {
            made.list(4, atLeast: 0) { made in
                switch made.random.below(4) {
                case 0: .mtu(made.uint16())
                case 1: .flushTimeout(made.uint16())
                case 2: .retransmission(made.random.bytes(9))
                default: .other(type: 0x80 | made.uint8(), made.bytes(upTo: 6))
                }
            }
        }
        let contents: [(inout Self) -> L2CAPSignal.Content] = [
            { .commandReject(reason: $0.uint16(), data: $0.bytes(upTo: 4)) },
            { .connectionRequest(psm: $0.uint16(), source: $0.uint16()) },
            {
                .connectionResponse(
                    destination: $0.uint16(), source: $0.uint16(), result: $0.uint16(),
                    status: $0.uint16())
            },
            {
                .configurationRequest(
                    destination: $0.uint16(), flags: $0.uint16(), options: options(&$0))
            },
            {
                .configurationResponse(
                    source: $0.uint16(), result: $0.uint16(), flags: $0.uint16(),
                    options: options(&$0))
            },
            { .disconnectionRequest(destination: $0.uint16(), source: $0.uint16()) },
            { .disconnectionResponse(destination: $0.uint16(), source: $0.uint16()) },
            { .echoRequest($0.bytes(upTo: 9)) }, { .echoResponse($0.bytes(upTo: 9)) },
            { .informationRequest(type: $0.uint16()) },
            {
                .informationResponse(
                    type: $0.uint16(), result: $0.uint16(), data: $0.bytes(upTo: 8))
            },
            {
                .parameterUpdateRequest(
                    minimum: $0.uint16(), maximum: $0.uint16(), latency: $0.uint16(),
                    timeout: $0.uint16())
            },
            { .parameterUpdateResponse(result: $0.uint16()) },
            {
                .lowEnergyConnectionRequest(
                    psm: $0.uint16(), source: $0.uint16(), credits(&$0))
            },
            {
                .lowEnergyConnectionResponse(
                    destination: $0.uint16(), credits(&$0), result: $0.uint16())
            },
            { .creditIndication(channel: $0.uint16(), credits: $0.uint16()) },
            {
                .creditConnectionRequest(
                    psm: $0.uint16(), credits(&$0), sources: $0.list(5) { $0.uint16() })
            },
            {
                .creditConnectionResponse(
                    credits(&$0), result: $0.uint16(),
                    destinations: $0.list(5) { $0.uint16() })
            },
            {
                .creditReconfigureRequest(
                    mtu: $0.uint16(), mps: $0.uint16(),
                    destinations: $0.list(5) { $0.uint16() })
            },
            { .creditReconfigureResponse(result: $0.uint16()) },
            { .other(code: 0x40 | $0.uint8() & 0x3F, $0.bytes(upTo: 9)) },
        ]
        let identifier = uint8()
        return L2CAPSignal(contents[random.below(contents.count)](&self), identifier: identifier)
    }

    // MARK: ATT

    mutating func att() -> ATTPacket {
        func handles(_ made: inout Self) -> ATTPacket.Handles {
            ATTPacket.Handles(made.uint16(), made.uint16())
        }
        func attributes(_ made: inout Self) -> [ATTPacket.Attribute] {
            let size = made.random.below(20)
            return made.list(4) { .init(handle: $0.uint16(), value: $0.random.bytes(size)) }
        }
        switch ATTOpcode.allCases[random.below(ATTOpcode.allCases.count)] {
        case .errorResponse:
            return .errorResponse(request: uint8(), handle: uint16(), error: uint8())
        case .exchangeMTURequest: return .exchangeMTURequest(mtu: uint16())
        case .exchangeMTUResponse: return .exchangeMTUResponse(mtu: uint16())
        case .findInformationRequest: return .findInformationRequest(handles(&self))
        case .findInformationResponse:
            let size = [2, 16][random.below(2)]
            return .findInformationResponse(
                list(4) { .init(handle: $0.uint16(), type: $0.uuid([size])) })
        case .findByTypeValueRequest:
            return .findByTypeValueRequest(
                handles(&self), type: uint16(), value: bytes(upTo: 16))
        case .findByTypeValueResponse:
            return .findByTypeValueResponse(list(4) { handles(&$0) })
        case .readByTypeRequest: return .readByTypeRequest(handles(&self), type: uuid())
        case .readByTypeResponse: return .readByTypeResponse(attributes(&self))
        case .readRequest: return .readRequest(handle: uint16())
        case .readResponse: return .readResponse(value: bytes(upTo: 30))
        case .readBlobRequest: return .readBlobRequest(handle: uint16(), offset: uint16())
        case .readBlobResponse: return .readBlobResponse(value: bytes(upTo: 30))
        case .readMultipleRequest:
            return .readMultipleRequest(handles: list(4, atLeast: 2) { $0.uint16() })
        case .readMultipleResponse: return .readMultipleResponse(values: bytes(upTo: 30))
        case .readByGroupTypeRequest:
            return .readByGroupTypeRequest(handles(&self), type: uuid())
        case .readByGroupTypeResponse:
            let size = random.below(17)
            return .readByGroupTypeResponse(
                list(4) { .init(handles(&$0), value: $0.random.bytes(size)) })
        case .writeRequest: return .writeRequest(handle: uint16(), value: bytes(upTo: 30))
        case .writeResponse: return .writeResponse
        case .prepareWriteRequest:
            return .prepareWriteRequest(
                handle: uint16(), offset: uint16(), value: bytes(upTo: 30))
        case .prepareWriteResponse:
            return .prepareWriteResponse(
                handle: uint16(), offset: uint16(), value: bytes(upTo: 30))
        case .executeWriteRequest: return .executeWriteRequest(flags: uint8())
        case .executeWriteResponse: return .executeWriteResponse
        case .handleValueNotification:
            return .handleValueNotification(handle: uint16(), value: bytes(upTo: 30))
        case .handleValueIndication:
            return .handleValueIndication(handle: uint16(), value: bytes(upTo: 30))
        case .handleValueConfirmation: return .handleValueConfirmation
        case .readMultipleVariableRequest:
            return .readMultipleVariableRequest(handles: list(4, atLeast: 2) { $0.uint16() })
        case .readMultipleVariableResponse:
            return .readMultipleVariableResponse(values: list(4) { $0.bytes(upTo: 12) })
        case .multipleHandleValueNotification:
            return .multipleHandleValueNotification(
                list(4) { .init(handle: $0.uint16(), value: $0.bytes(upTo: 12)) })
        case .writeCommand: return .writeCommand(handle: uint16(), value: bytes(upTo: 30))
        case .signedWriteCommand:
            return .signedWriteCommand(
                handle: uint16(), value: bytes(upTo: 30), signature: random.bytes(12))
        }
    }

    // MARK: SMP

    mutating func smp() -> SMPPacket {
        func features(_ made: inout Self) -> SMPPacket.Features {
            SMPPacket.Features(
                ioCapability: made.uint8(), outOfBand: made.uint8(),
                authentication: made.uint8(), maximumKeySize: made.uint8(),
                initiatorKeys: made.uint8(), responderKeys: made.uint8())
        }
        switch random.below(15) {
        case 0: return .pairingRequest(features(&self))
        case 1: return .pairingResponse(features(&self))
        case 2: return .pairingConfirm(random.bytes(16))
        case 3: return .pairingRandom(random.bytes(16))
        case 4: return .pairingFailed(reason: uint8())
        case 5: return .encryptionInformation(key: random.bytes(16))
        case 6:
            return .centralIdentification(diversifier: uint16(), random: random.bytes(8))
        case 7: return .identityInformation(key: random.bytes(16))
        case 8:
            return .identityAddressInformation(
                type: uint8(), address: random.next() & 0xFFFF_FFFF_FFFF)
        case 9: return .signingInformation(key: random.bytes(16))
        case 10: return .securityRequest(authentication: uint8())
        case 11: return .pairingPublicKey(x: random.bytes(32), y: random.bytes(32))
        case 12: return .pairingDHKeyCheck(random.bytes(16))
        case 13: return .pairingKeypressNotification(type: uint8())
        default: return .unknown(code: 0x0F | uint8(), bytes(upTo: 9))
        }
    }

    // MARK: SDP

    mutating func element(depth: Int = 0) -> SDPElement {
        let size = 1 << random.below(4)
        switch random.below(depth < 3 ? 11 : 9) {
        case 0: return .null
        case 1:
            return .unsigned(random.next() >> UInt64(64 - size * 8), size: size)
        case 2:
            return .signed(
                Int64(bitPattern: random.next()) >> Int64(64 - size * 8), size: size)
        case 3: return .wide(random.bytes(16), isSigned: random.below(2) == 0)
        case 4, 5: return .uuid(uuid([2, 4, 16]))
        case 6: return .text(bytes(upTo: random.below(40) == 0 ? 70_000 : 300))
        case 7: return .bool(random.below(2) == 0)
        case 8: return .url(bytes(upTo: 20))
        case 9: return .sequence(list(4, atLeast: 0) { $0.element(depth: depth + 1) })
        default: return .alternative(list(4, atLeast: 0) { $0.element(depth: depth + 1) })
        }
    }

    mutating func sdp() -> SDPPacket {
        func short(_ made: inout Self) -> SDPElement {
            .sequence([.uuid(made.uuid()), .uint32(7)])
        }
        let content: SDPPacket.Content
        switch random.below(8) {
        case 0: content = .errorResponse(code: uint16())
        case 1:
            content = .serviceSearchRequest(
                pattern: short(&self), maximumCount: uint16(), continuation: bytes(upTo: 16))
        case 2:
            content = .serviceSearchResponse(
                total: uint16(), records: list(5, atLeast: 0) { UInt32($0.uint16()) },
                continuation: bytes(upTo: 16))
        case 3:
            content = .serviceAttributeRequest(
                record: UInt32(uint16()), maximumBytes: uint16(), attributes: short(&self),
                continuation: bytes(upTo: 16))
        case 4:
            content = .serviceAttributeResponse(
                part: bytes(upTo: 99), continuation: bytes(upTo: 16))
        case 5:
            content = .serviceSearchAttributeRequest(
                pattern: short(&self), maximumBytes: uint16(), attributes: short(&self),
                continuation: bytes(upTo: 16))
        case 6:
            content = .serviceSearchAttributeResponse(
                part: bytes(upTo: 99), continuation: bytes(upTo: 16))
        default: content = .unknown(0x80 | uint8(), bytes(upTo: 9))
        }
        return SDPPacket(content, transaction: uint16())
    }

    // MARK: RFCOMM

    mutating func command() -> RFCOMMCommand {
        let content: RFCOMMCommand.Content
        switch random.below(7) {
        case 0:
            content = .negotiation(
                RFCOMMCommand.Negotiation(
                    dlci: uint8(), convergence: uint8(), priority: uint8(),
                    frameSize: uint16(), credits: uint8()))
        case 1: content = .test(bytes(upTo: 200))
        case 2: content = .flowOn
        case 3: content = .flowOff
        case 4:
            content = .modemStatus(
                dlci: uint8() & 0x3F, signals: uint8(),
                breakSignal: random.below(2) == 0 ? uint8() : nil)
        case 5: content = .notSupported(uint8() & 0x3F)
        default: content = .other(type: 0x24, bytes(upTo: 9))
        }
        return RFCOMMCommand(content, isCommand: random.below(2) == 0)
    }

    mutating func frame() -> RFCOMMFrame {
        let kind = RFCOMMFrame.Kind.allCases[random.below(RFCOMMFrame.Kind.allCases.count)]
        guard kind == .uih else {
            return RFCOMMFrame(
                kind, dlci: uint8(), isCommand: random.below(2) == 0,
                isPolled: random.below(2) == 0)
        }
        let dlci = uint8() & 0x3F
        return RFCOMMFrame(
            kind, dlci: dlci, isCommand: random.below(2) == 0,
            credits: dlci != 0 && random.below(2) == 0 ? uint8() : nil,
            payload: bytes(upTo: 400))
    }
}
