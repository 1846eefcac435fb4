import Bluetooth
import Wire

/// A GATT peripheral as a state machine that takes inputs and returns actions.
public struct ProfilePeripheral: DeviceMachine {
    /// The role of this kind of device in suites.
    public static let role = "profile.peripheral"

    private let configuration: PeripheralConfiguration
    private let mutant: PeripheralMutant?
    private var host = HCIHost()
    private var server: PeripheralServer
    private var link: UInt16?
    private var actions: [DeviceAction<ProfileLink, ProfileTimer>] = []

    /// Creates a peripheral that has not started.
    public init(configuration: PeripheralConfiguration, mutant: PeripheralMutant?) {
        self.configuration = configuration
        self.mutant = mutant
        server = PeripheralServer(configuration)
    }

    /// Handles an input and returns the actions it leads to.
    public mutating func handle(
        _ input: DeviceInput<ProfileLink, ProfileTimer>, at now: Int64
    ) -> [DeviceAction<ProfileLink, ProfileTimer>] {
        switch input {
        case .started: act(.connect(.controller))
        case .connected(.controller): host.start()
        case .connectFailed(.controller, _), .disconnected(.controller, _): act(.exit(1))
        case .received(.controller, let bytes):
            for event in host.receive(bytes) { consume(event) }
        case .controlLine(let line): consume(controlLine: line)
        case .terminate: act(.exit(0))
        // It sends no reports and has no accessories.
        case .accepted, .connected, .connectFailed, .disconnected, .received, .timerFired: break
        }
        let bytes = host.takeOutgoing()
        if !bytes.isEmpty { act(.send(.controller, bytes)) }
        defer { actions = [] }
        return actions
    }

    private mutating func act(_ action: DeviceAction<ProfileLink, ProfileTimer>) {
        actions.append(action)
    }

    private mutating func advertise() {
        let uuids = mutant == .advertisesWithoutUUID ? [] : configuration.advertises
        var data = AdvertisingData([AdvertisingData.Structure(AdvertisingData.Kind.flags, [6])])
        for uuid in uuids {
            let bytes = uuid.attributeBytes
            let kind =
                bytes.count == 2
                ? AdvertisingData.Kind.completeUUIDs16 : AdvertisingData.Kind.completeUUIDs128
            data.structures.append(AdvertisingData.Structure(kind, bytes))
        }
        host.advertise(data.bytes)
    }

    private mutating func consume(_ event: HCIHost.Event) {
        switch event {
        case .ready: advertise()
        case .connected(let handle, _):
            link = handle
            server.reset(keepsSubscriptions: mutant == .keepsSubscriptionOverLinks)
        case .disconnected:
            link = nil
            if mutant != .staysSilentAfterDisconnect { advertise() }
        case .data(let handle, let frame):
            guard frame.channel == L2CAPFrame.Channel.attributes,
                let packet = try? ATTPacket(parsing: frame.payload.span.bytes)
            else { return }
            answer(packet, on: handle)
        case .advertisement, .connectionFailed: break
        }
    }

    private mutating func answer(_ packet: ATTPacket, on handle: UInt16) {
        if case .readRequest(let place) = packet, mutant == .refusesReads {
            return send(
                .errorResponse(
                    request: packet.opcode, handle: place,
                    error: ATTError.readNotPermitted.rawValue), on: handle)
        }
        let answers = server.answers(
            to: packet, notifiesAlways: mutant == .notifiesUnsubscribed)
        for answer in answers { send(answer, on: handle) }
    }

    private mutating func send(_ packet: ATTPacket, on handle: UInt16) {
        host.send(packet.bytes, channel: L2CAPFrame.Channel.attributes, on: handle)
    }

    // MARK: The control channel

    private mutating func consume(controlLine line: String) {
        do throws(ControlError) {
            let request = try ControlRequest(line: line)
            guard let control = PeripheralControl(rawValue: request.method) else {
                return answer(request.unknownMethod(among: PeripheralControl.self))
            }
            switch control {
            case .notify: try notify(request)
            case .state:
                return answer(
                    request.answer(.object([Value.Member("connected", .bool(link != nil))])))
            case .stop: act(.exit(0))
            }
            answer(request.answer(true))
        } catch {
            answer(error.answer)
        }
    }

    private mutating func answer(_ answer: Value?) {
        if let answer { act(.answer(answer)) }
    }

    private mutating func notify(_ request: ControlRequest) throws(ControlError) {
        guard
            let uuid = request.params?["characteristic"]?.stringValue.flatMap({ BluetoothUUID($0) })
        else { throw ControlError(.invalidParams, "characteristic is a UUID", id: request.id) }
        let value = Array((request.params?["value"]?.stringValue ?? "").utf8)
        let packet = server.notification(
            of: uuid, value, regardless: mutant == .notifiesUnsubscribed)
        if let packet, let link { send(packet, on: link) }
    }
}

/// The methods of a peripheral's control channel.
public enum PeripheralControl: String, Sendable, Hashable, CaseIterable {
    case notify, state, stop
}
