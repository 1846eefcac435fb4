import BuiltInProtocols
import Commands
import PeerKit
import Wire

Program(protocols: .builtIn, peers: .builtIn).run()
