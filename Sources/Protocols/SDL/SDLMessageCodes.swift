extension SDL {
    /// The codes of the messages that frame and RPC headers tell apart, for look-up in a hot loop.
    struct MessageCodes: Sendable {
        static let shared = MessageCodes()

        /// Functions from 0 and notifications from 0x8000 on; all that are defined lie there, but
        /// for a few that are found by the whole message.
        private static let blockSize = 256
        private static let notificationBase: UInt32 = 0x8000

        /// By function and type; -1 where there is none.
        private let calls: [Int32]
        private let notifications: [Int32]
        private let controls: [Int32]
        /// All messages of the protocol; they stand together because names are sorted.
        private let all: Range<Int32>

        private init() {
            var calls = [Int32](repeating: -1, count: Self.blockSize * 4)
            var notifications = calls
            for (id, name) in RPCFunctions.shared.names {
                for type in RPCType.allCases {
                    guard let code = MessageCode(type.messageName(of: name)) else { continue }
                    if id < UInt32(Self.blockSize) {
                        calls[Int(id) * 4 + Int(type.rawValue)] = code.index
                    } else if id >= Self.notificationBase,
                        id - Self.notificationBase < UInt32(Self.blockSize)
                    {
                        let place = Int(id - Self.notificationBase) * 4 + Int(type.rawValue)
                        notifications[place] = code.index
                    }
                }
            }
            var controls = [Int32](repeating: -1, count: 256)
            for frame in ControlFrame.allCases {
                controls[Int(frame.rawValue)] = MessageCode("sdl.\(frame.messageName)")?.index ?? -1
            }
            self.calls = calls
            self.notifications = notifications
            self.controls = controls
            let own = ProtocolCatalogue.messageNames.indices.filter {
                ProtocolCatalogue.messageNames[$0].hasPrefix("sdl.")
            }
            all = Int32(own.first ?? 0)..<Int32((own.last ?? -1) + 1)
        }

        /// Whether a message is one of the protocol.
        func contains(_ code: MessageCode) -> Bool { all.contains(code.index) }

        /// The code of an RPC by the first word of its header: type and function.
        func code(ofRPC word: UInt32) -> MessageCode? {
            let function = word & 0x0FFF_FFFF
            let type = Int(word >> 28)
            guard type < 4 else { return nil }
            let index: Int32
            if function < UInt32(Self.blockSize) {
                index = calls[Int(function) * 4 + type]
            } else if function &- Self.notificationBase < UInt32(Self.blockSize) {
                index = notifications[Int(function &- Self.notificationBase) * 4 + type]
            } else {
                return nil
            }
            return index < 0 ? nil : MessageCode(index: Int(index))
        }

        /// The code of a control frame by its frame info.
        func code(ofControl info: UInt8) -> MessageCode? {
            let index = controls[Int(info)]
            return index < 0 ? nil : MessageCode(index: Int(index))
        }
    }
}
