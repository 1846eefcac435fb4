import BuiltInProtocols
import Commands
import EchoPeer
import EchoProtocol
import PeerKit
import Wire

// `conform` with an additional protocol and an additional kind of peer.
let peers = PeerFactory(PeerModule.builtIn + [.echoServer])
let protocols = ProtocolRegistry(
    ProtocolModule.builtIn + [EchoProtocol.module], peers: peers.kinds)
Program(protocols: protocols, peers: peers).run()
