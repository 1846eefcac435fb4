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
