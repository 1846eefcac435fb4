import Wire

extension SDL {
    /// The codes of the messages that frame and RPC headers distinguish, for look-up in a hot loop.
    final class MessageCodes: Sendable {
        static let shared = MessageCodes()

        /// The bits of a function id that index `calls`.
        ///
        /// Functions start at 0 and notifications at 0x8000. All defined ones are in these two
        /// ranges of 256, except for a few that are found by decoding the whole message.
        private static let functionBits: UInt32 = 0x80FF

        /// The codes by function and type, notifications after the others; -1 for no message.
        private let calls: [Int32]
        private let controls: [Int32]
        /// The codes of all messages of the protocol.
        private let all: Range<Int32>

        private init() {
            let codes = Dictionary(
                uniqueKeysWithValues: zip(
                    SDL.description.messages.map(\.name), SDL.description.codes))
            var calls = [Int32](repeating: -1, count: 2 * 256 * 4)
            for (id, name) in RPCFunctions.shared.names where id & ~Self.functionBits == 0 {
                for type in RPCType.allCases {
                    guard let code = codes[type.messageName(of: name)] else { continue }
                    calls[Self.place(of: id, UInt32(type.rawValue))] = code.index
                }
            }
            var controls = [Int32](repeating: -1, count: 256)
            for frame in ControlFrame.allCases {
                controls[Int(frame.rawValue)] = codes["sdl.\(frame.messageName)"]?.index ?? -1
            }
            self.calls = calls
            self.controls = controls
            let first = SDL.description.firstCode
            all = first..<first + Int32(truncatingIfNeeded: SDL.description.messages.count)
        }

        /// Returns whether a code belongs to a message of the protocol.
        func contains(_ code: MessageCode) -> Bool { all.contains(code.index) }

        /// Returns the name of a message of the protocol.
        func name(of code: MessageCode) -> String {
            SDL.description.messages[Int(code.index - all.lowerBound)].name
        }

        /// Returns the code of an RPC by the first word of its header, whatever the correlation id.
        @inline(__always)
        func code(ofRPC word: UInt64) -> MessageCode? {
            let function: UInt32 = RPCField.functionID.bits.number(in: word)
            let type: UInt32 = RPCField.type.bits.number(in: word)
            guard function & ~Self.functionBits == 0, type < 4 else { return nil }
            let index = calls[Self.place(of: function, type)]
            return index < 0 ? nil : MessageCode(index: index)
        }

        @inline(__always)
        private static func place(of function: UInt32, _ type: UInt32) -> Int {
            Int((function & 0x8000) >> 5 | (function & 0xFF) << 2 | type)
        }

        /// Returns the code of a control frame by its frame info.
        func code(ofControl info: UInt8) -> MessageCode? {
            let index = controls[Int(info)]
            return index < 0 ? nil : MessageCode(index: index)
        }
    }
}
