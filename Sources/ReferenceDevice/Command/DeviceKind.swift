import Bluetooth
import Diffusion
import SDL
import Wire

/// The kinds of devices that `conform-device` can be: the one list that a new kind is added to.
public enum DeviceKind: String, Sendable, Hashable, CaseIterable {
    /// An SDL app.
    case sdlApp = "sdl-app"
    /// A client of a session server that backs off before it reconnects.
    case sessionClient = "session-client"
    /// An SDL head unit, to which phones connect.
    case headUnit = "head-unit"
    /// An app with profile connections over Bluetooth.
    case profileApp = "profile-app"
    /// A GATT peripheral.
    case profilePeripheral = "profile-peripheral"

    /// What this kind of device is called in suites.
    public var role: String {
        switch self {
        case .sdlApp: SDLAppLifecycle.role
        case .sessionClient: SessionClient.role
        case .headUnit: SDLHeadUnit.role
        case .profileApp: ProfileApp.role
        case .profilePeripheral: ProfilePeripheral.role
        }
    }

    /// The mutants of this kind, as `conform-device mutants` lists them.
    public var mutants: [Value] {
        switch self {
        case .sdlApp: SDLAppMutant.allCases.map(\.value)
        case .sessionClient: SessionClientMutant.allCases.map(\.value)
        case .headUnit: HeadUnitMutant.allCases.map(\.value)
        case .profileApp: ProfileAppMutant.allCases.map(\.value)
        case .profilePeripheral: PeripheralMutant.allCases.map(\.value)
        }
    }

    /// What a device of this kind can be asked on its control channel.
    public var controls: [String] {
        switch self {
        case .sdlApp: SDLAppControl.allCases.map(\.rawValue)
        case .sessionClient: SessionControl.allCases.map(\.rawValue)
        case .headUnit: HeadUnitControl.allCases.map(\.rawValue)
        case .profileApp: ProfileControl.allCases.map(\.rawValue)
        case .profilePeripheral: PeripheralControl.allCases.map(\.rawValue)
        }
    }

    /// What it is and what its exit codes mean beside 0 and 2, for the help.
    var summary: String {
        switch self {
        case .sdlApp:
            """
            an SDL app. Its option --transport tcp|iap tells how it reaches head units: by
                connecting to one, or by accessories, over the accessory bus or, if CONFORM_CARRIER
                is iap2, over iAP2 links.
                Controls: \(controlsText).
                Exit codes: 1 no connection or no service, 3 registration refused.
            """
        case .sessionClient:
            """
            a Diffusion client that keeps a session over its falls, as an application does.
                Controls: \(controlsText).
            """
        case .headUnit:
            """
            an SDL head unit; it listens at --host and --port, over TCP and the accessory bus.
                Controls: \(controlsText).
                Exit codes: 1 nothing can listen there.
            """
        case .profileApp:
            """
            an app with profile connections over a Bluetooth host of its own. Its controller
                listens at --host and --port (HCI in H4 framing); --report ADDRESS:PORT is where
                it reports what no packet shows, as JSON lines; --bus ADDRESS:PORT is where accessories
                listen on the accessory bus, if its configuration says that it has one.
                Controls: \(controlsText).
                Exit codes: 1 no controller.
            """
        case .profilePeripheral:
            """
            a GATT peripheral; its controller listens at --host and --port.
                Controls: \(controlsText).
                Exit codes: 1 no controller.
            """
        }
    }

    private var controlsText: String { controls.joined(separator: ", ") }
}
