import Bluetooth
import BluetoothPeers
import Diffusion
import DiffusionPeers
import ExternalAccessory
import HTTP
import PeerKit
import SDL
import SDLPeers
import ScriptedPeers
import TCPIP
import TLS
import Wire

extension ProtocolModule {
    /// Every protocol that `conform` supports; new protocols are added here.
    ///
    /// Streams are tried in this order. Protocols carried over WebSocket precede it; HTTP follows
    /// it because it leaves their handshakes to them.
    public static let builtIn: [ProtocolModule] = [
        TCPIP.module, TLS.module, SDL.module, Diffusion.module, WebSocket.module, HTTP.module,
        .harness, ExternalAccessory.module, IAP2.module, BluetoothProtocols.module,
    ]
}

extension PeerModule {
    /// Every kind of peer that `conform` plays; new kinds are added here.
    public static let builtIn: [PeerModule] = [
        .headUnit, .tcpServer, .tcpClient, .udpServer, .udpClient, .webSocketServer,
        .webSocketClient, .httpServer, .httpClient, .process, .adapter, .sessionServer, .accessory,
        .app, .appReports, .bluetoothController, .gattPeripheral, .gattCentral,
        .bluetoothAccessory,
    ]
}

extension PeerFactory {
    /// The factory for every kind of peer that `conform` plays.
    public static let builtIn = PeerFactory(PeerModule.builtIn, security: { TLSSecurity() })
}

extension ProtocolRegistry {
    /// Every protocol and every kind of peer that `conform` has.
    public static let builtIn = ProtocolRegistry(
        ProtocolModule.builtIn, peers: PeerFactory.builtIn.kinds)
}
