import Wire

extension SDL {
    /// How many bytes the frames of one message have, each with its header: what an MTU bounds
    /// (specification 2.4).
    struct FrameSizes: Sendable, Hashable {
        /// In the order of the frames; at most `Limits.frameSizes`.
        private(set) var listed: [UInt32]
        /// The largest of all.
        private(set) var largest: UInt32

        /// Begins with the first frame.
        init(_ size: Int) {
            largest = UInt32(clamping: size)
            listed = [largest]
        }

        /// Adds the next frame.
        mutating func append(_ size: Int) {
            let size = UInt32(clamping: size)
            largest = max(largest, size)
            if listed.count < Limits.frameSizes { listed.append(size) }
        }
    }

    /// How large the frames of a service may be that the sender of a StartServiceACK takes.
    struct FrameLimit: Sendable, Hashable {
        let session: UInt8
        let service: UInt8
        /// Bytes of a frame, with its header.
        let mtu: Int
        /// Whether that is less than what the version allows.
        let isTight: Bool

        /// What a StartServiceACK says; `nil` of any other message.
        init?(announcedBy message: Message) {
            guard case .control(.startServiceACK, let parameters) = message.content else {
                return nil
            }
            self.init(message.header, mtu: parameters["mtu"]?.integerValue)
        }

        /// What a StartServiceACK says of which no message is made.
        init?(announcedBy header: Header, _ payload: RawSpan) {
            if payload.isPlainBSON {
                self.init(header, mtu: payload.plainBSONInteger("mtu"))
            } else {
                self.init(
                    announcedBy: Message(controlFrame: header, payload, anomalies: []))
            }
        }

        private init?(_ header: Header, mtu: Int64?) {
            guard let mtu, mtu > 0 else { return nil }
            (session, service) = (header.sessionID, header.serviceType)
            self.mtu = Int(clamping: mtu)
            isTight = self.mtu < SDL.maximumPayload(version: header.version)
        }

        /// Whether it is said of a frame; a bulk frame goes with the RPCs of its session.
        func bounds(_ header: Header) -> Bool {
            let isBulk = header.serviceType == ServiceType.bulk.rawValue
            return header.frameType != .control && header.sessionID == session
                && (isBulk ? ServiceType.rpc.rawValue : header.serviceType) == service
        }
    }

    /// What stands under `sdl` of all frames of a message, not of the first alone.
    enum FramesField: String, Sendable, CaseIterable {
        /// How many there are.
        case frames
        /// Bytes of the largest, with its header.
        case largestFrame = "largest_frame"
        /// Bytes of each, with its header; asked for by its name only, as there may be many.
        case frameSizes = "frame_sizes"
    }
}

extension SDL.Message {
    /// The value of a field of all frames.
    func framesField(_ field: SDL.FramesField) -> Value {
        switch field {
        case .frames: .integer(Int64(frameCount))
        case .largestFrame: .integer(Int64(allSizes.largest))
        case .frameSizes: .array(allSizes.listed.map { .integer(Int64($0)) })
        }
    }

    /// The sizes of all frames; those of a message that never became whole are not kept.
    private var allSizes: SDL.FrameSizes {
        sizes ?? SDL.FrameSizes(header.size + Int(header.dataSize))
    }
}
