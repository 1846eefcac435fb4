import Wire

extension SDL {
    /// The sizes in bytes of a message's frames, including headers: an MTU limits them
    /// (specification 2.4).
    struct FrameSizes: Sendable, Hashable {
        /// The sizes in the order of the frames; at most `Limits.frameSizes`.
        private(set) var listed: [UInt32]
        /// The largest size of all frames.
        private(set) var largest: UInt32

        /// Creates the sizes with the first frame.
        init(_ size: Int) {
            largest = UInt32(clamping: size)
            listed = [largest]
        }

        /// Adds the size of the next frame.
        mutating func append(_ size: Int) {
            let size = UInt32(clamping: size)
            largest = max(largest, size)
            if listed.count < Limits.frameSizes { listed.append(size) }
        }
    }

    /// The limit of a service's frame size that the sender of a StartServiceACK announces.
    struct FrameLimit: Sendable, Hashable {
        let session: UInt8
        let service: UInt8
        /// The maximum size of a frame in bytes, including its header.
        let mtu: Int
        /// Whether that is less than the version allows.
        let isTight: Bool

        /// Creates the limit announced by a StartServiceACK; `nil` for any other message.
        init?(announcedBy message: Message) {
            guard case .control(.startServiceACK, let parameters) = message.content else {
                return nil
            }
            self.init(message.header, mtu: parameters["mtu"]?.integerValue ?? .max)
        }

        /// Creates the limit announced by a StartServiceACK that is not decoded to a message.
        init?(announcedBy header: Header, _ payload: RawSpan) {
            if payload.isPlainBSON {
                self.init(header, mtu: payload.plainBSONInteger("mtu") ?? .max)
            } else {
                self.init(
                    announcedBy: Message(controlFrame: header, payload, anomalies: []))
            }
        }

        /// One without a number lifts the limit of an earlier session with the same id.
        private init?(_ header: Header, mtu: Int64) {
            guard mtu > 0 else { return nil }
            (session, service) = (header.sessionID, header.serviceType)
            self.mtu = Int(clamping: mtu)
            isTight = self.mtu < SDL.maximumPayload(version: header.version)
        }

        /// Returns whether it applies to a frame; a bulk frame belongs to the RPCs of its session.
        func bounds(_ header: Header) -> Bool {
            let isBulk = header.serviceType == ServiceType.bulk.rawValue
            return header.frameType != .control && header.sessionID == session
                && (isBulk ? ServiceType.rpc.rawValue : header.serviceType) == service
        }
    }

    /// The fields under `sdl` that concern all frames of a message, not only the first.
    enum FramesField: String, Sendable, CaseIterable {
        /// The number of frames.
        case frames
        /// The size in bytes of the largest frame, including its header.
        case largestFrame = "largest_frame"
        /// The size in bytes of each frame, including its header.
        ///
        /// It is only available by its name, because there may be many frames.
        case frameSizes = "frame_sizes"
    }
}

extension SDL.Message {
    /// Returns the value of a field that concerns all frames.
    func framesField(_ field: SDL.FramesField) -> Value {
        switch field {
        case .frames: .integer(Int64(frameCount))
        case .largestFrame: .integer(Int64(allSizes.largest))
        case .frameSizes: .array(allSizes.listed.map { .integer(Int64($0)) })
        }
    }

    /// The sizes of all frames; those of a message that never became complete are not kept.
    private var allSizes: SDL.FrameSizes {
        sizes ?? SDL.FrameSizes(header.size + Int(header.dataSize))
    }
}
