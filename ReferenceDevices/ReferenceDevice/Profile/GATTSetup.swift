import Bluetooth

/// The attribute procedures of an activation, one request after another (Core 5.4 Vol 3 Part G 4).
struct GATTSetup: Sendable {
    /// The next step.
    enum Step: Sendable {
        case request(ATTPacket)
        /// A success may be reported now, although this request still has to be sent.
        case early(ATTPacket)
        case failed(String)
        case done
    }

    /// An operation to perform once the service is known.
    enum Operation: Sendable, Hashable {
        case subscribe(BluetoothUUID)
        case read(BluetoothUUID)
        /// Reads a characteristic anywhere on the device, if it exists.
        case readByType(BluetoothUUID)
        case write([UInt8])
    }

    @dynamicMemberLookup
    struct Characteristic: Sendable, Hashable {
        let declaration: ATTPacket.Characteristic
        /// The last handle that may belong to one of its descriptors.
        var last: UInt16
        var configuration: UInt16?

        subscript<Part>(dynamicMember part: KeyPath<ATTPacket.Characteristic, Part>) -> Part {
            declaration[keyPath: part]
        }
    }

    private enum Phase: Sendable {
        case begin
        case mtu
        case service(from: UInt16)
        case characteristics
        case descriptors(Int)
        case operation(Int)
    }

    private let wanted: [BluetoothUUID]
    private let operations: [Operation]
    private let discoversByUUID: Bool
    private let rules: ProfileRules
    private var phase = Phase.begin
    private var service: ATTPacket.Handles?
    private(set) var characteristics: [Characteristic] = []
    private(set) var mtu: Int
    /// The configurations that were written and have to be cleared again.
    private(set) var subscriptions: [UInt16] = []

    /// Creates the procedures of a class.
    ///
    /// - Parameter mtu: The MTU that was already agreed on the link; `nil` for none.
    init(
        _ kind: ProfileClass, rules: ProfileRules, discoversByUUID: Bool, mtu: Int?
    ) {
        wanted = kind.interestedServiceUUIDs
        self.discoversByUUID = discoversByUUID
        self.rules = rules
        operations = rules.operations(of: kind)
        self.mtu = mtu ?? ATTPacket.defaultMTU
        if mtu != nil || rules.has(.keepsPDUsSmall) { phase = .mtu }
    }

    /// Creates a search for a service only.
    init(lookingFor services: [BluetoothUUID], rules: ProfileRules) {
        wanted = services
        operations = []
        discoversByUUID = true
        self.rules = rules
        mtu = ATTPacket.defaultMTU
        phase = .mtu
    }

    /// Returns the characteristic of a UUID, once it has been found.
    func characteristic(_ uuid: BluetoothUUID) -> Characteristic? {
        characteristics.first { $0.uuid == uuid }
    }

    /// Returns the next step after an answer; `nil` is the answer before the first step.
    mutating func next(after answer: ATTPacket?) -> Step {
        switch phase {
        case .begin:
            phase = .mtu
            return .request(.exchangeMTURequest(mtu: 517))
        case .mtu:
            if case .exchangeMTUResponse(let other)? = answer {
                mtu = max(23, min(517, Int(other)))
            }
            phase = .service(from: 1)
            return requestService(from: 1)
        case .service: return takeService(answer)
        case .characteristics: return takeCharacteristics(answer)
        case .descriptors(let index): return takeDescriptors(answer, of: index)
        case .operation(let index): return takeOperation(answer, index)
        }
    }

    // MARK: Discovery

    private func requestService(from start: UInt16) -> Step {
        let range = ATTPacket.Handles(start, 0xFFFF)
        guard discoversByUUID, let uuid = wanted.first else {
            return .request(.readByGroupTypeRequest(range, type: BluetoothUUID(0x2800)))
        }
        return .request(.findByTypeValueRequest(range, type: 0x2800, value: uuid.attributeBytes))
    }

    private mutating func takeService(_ answer: ATTPacket?) -> Step {
        switch answer {
        case .findByTypeValueResponse(let found)?: service = found.first
        case .readByGroupTypeResponse(let groups)?:
            service =
                groups.first {
                    BluetoothUUID(littleEndian: $0.value).map(wanted.contains) ?? false
                }?.handles
            if service == nil, let last = groups.last?.handles.end, last < 0xFFFF {
                return requestService(from: last + 1)
            }
        default: break
        }
        if service == nil {
            guard rules.subscribesWithoutService else {
                return rules.succeedsWithoutService ? .done : .failed("service not found")
            }
            service = ATTPacket.Handles(1, 0xFFFF)
        }
        guard !operations.isEmpty, let service else { return .done }
        phase = .characteristics
        return .request(.readByTypeRequest(service, type: BluetoothUUID(0x2803)))
    }

    private mutating func takeCharacteristics(_ answer: ATTPacket?) -> Step {
        guard let service else { return .failed("service not found") }
        if case .readByTypeResponse(let attributes)? = answer, let last = attributes.last {
            for attribute in attributes {
                add(attribute.value, declaredAt: attribute.handle, end: service.end)
            }
            if last.handle < service.end {
                return .request(
                    .readByTypeRequest(
                        ATTPacket.Handles(last.handle + 1, service.end),
                        type: BluetoothUUID(0x2803)))
            }
        }
        return requestDescriptors(from: 0)
    }

    private mutating func add(_ value: [UInt8], declaredAt handle: UInt16, end: UInt16) {
        guard let declaration = ATTPacket.Characteristic(parsing: value) else { return }
        if !characteristics.isEmpty { characteristics[characteristics.count - 1].last = handle - 1 }
        characteristics.append(Characteristic(declaration: declaration, last: end))
    }

    private mutating func requestDescriptors(from index: Int) -> Step {
        let next = characteristics.indices.first {
            $0 >= index && characteristics[$0].isConfigurable
                && characteristics[$0].value < characteristics[$0].last
        }
        guard let next else { return operate(0) }
        phase = .descriptors(next)
        let found = characteristics[next]
        return .request(
            .findInformationRequest(ATTPacket.Handles(found.value + 1, found.last)))
    }

    private mutating func takeDescriptors(_ answer: ATTPacket?, of index: Int) -> Step {
        if case .findInformationResponse(let found)? = answer, let last = found.last {
            characteristics[index].configuration =
                found.first {
                    $0.type == BluetoothUUID(0x2902)
                }?.handle
            let end = characteristics[index].last
            if characteristics[index].configuration == nil, last.handle < end {
                return .request(.findInformationRequest(ATTPacket.Handles(last.handle + 1, end)))
            }
        }
        return requestDescriptors(from: index + 1)
    }

    // MARK: Subscribing and reading

    private mutating func operate(_ index: Int) -> Step {
        guard index < operations.count else { return .done }
        phase = .operation(index)
        switch operations[index] {
        case .subscribe(let uuid):
            guard let found = rules.subscribed(uuid, among: characteristics),
                let handle = found.configuration
            else { return .failed("characteristic \(uuid) cannot be subscribed to") }
            let bits: UInt8 = found.properties & 0x10 != 0 || rules.alwaysNotifies ? 1 : 2
            return .request(.writeRequest(handle: handle, value: [bits, 0]))
        case .read(let uuid):
            guard let found = characteristic(uuid) else {
                return .failed("characteristic \(uuid) not found")
            }
            let request = ATTPacket.readRequest(handle: found.value)
            return rules.reportsSuccessBeforeRead ? .early(request) : .request(request)
        case .readByType(let type):
            return .request(.readByTypeRequest(ATTPacket.Handles(1, 0xFFFF), type: type))
        case .write(let value):
            guard let found = characteristics.first(where: { $0.properties & 0x08 != 0 }) else {
                return operate(index + 1)
            }
            return .request(.writeRequest(handle: found.value, value: value))
        }
    }

    private mutating func takeOperation(_ answer: ATTPacket?, _ index: Int) -> Step {
        switch (operations[index], answer) {
        case (.subscribe, .writeResponse?):
            if case .subscribe(let uuid) = operations[index],
                let handle = rules.subscribed(uuid, among: characteristics)?.configuration
            {
                subscriptions.append(handle)
            }
        case (.subscribe, _) where rules.ignoresRefusedSubscription: break
        case (.read, _) where rules.ignoresRefusedRead: break
        // Insufficient Authentication (Core 5.4 Vol 3 Part F 3.4.1.1).
        case (.read, .errorResponse(_, _, 0x05)?) where rules.makes(.ignoresMissingEncryption):
            break
        case (_, nil) where rules.goesOnWithoutAnswer: break
        case (.read, .readResponse?), (.readByType, _), (.write, _): break
        case (_, .errorResponse(_, _, let error)?):
            return .failed("refused with error \(error)")
        default: return .failed("an answer that does not match the request")
        }
        return operate(index + 1)
    }
}
