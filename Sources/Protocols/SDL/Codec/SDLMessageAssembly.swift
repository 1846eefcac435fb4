import Wire

extension SDL {
    /// Assembles frames of one direction to messages and checks their order.
    struct MessageAssembly: Sendable {
        /// The fields that are the same in all frames of one message.
        struct Key: Sendable, Hashable {
            let sessionID: UInt8
            let serviceType: UInt8
            let messageID: UInt32

            init(_ header: Header) {
                sessionID = header.sessionID
                serviceType = header.serviceType
                messageID = header.messageID
            }
        }

        /// The session and version that matched last, to avoid most look-ups.
        private var latest: (session: UInt8, version: UInt8) = (0, 0)
        /// The same in the format that `FrameHeaderReader` compares; 0 if there are none.
        var agreement: HeaderContext { UInt16(latest.session) << 8 | UInt16(latest.version) }
        /// Whether the capture has lacked bytes, which may be why a First frame is missing.
        var hasLoss = false
        /// The messages whose last frame has not arrived, oldest first.
        private var partials: [PartialMessage] = []
        private var bufferedBytes = 0
        /// The maximum number of bytes in all unfinished messages.
        private let maximumBufferedBytes: Int
        /// The version of the first data frame of each session.
        private var versions = SessionVersions()
        /// The limits that the other side has announced for services, where they are below the
        /// version's.
        private var limits: [FrameLimit] = []
        /// The limits that StartServiceACKs of this direction announce.
        ///
        /// The code that passes them on to the other direction removes them.
        var announced: [FrameLimit] = []

        /// The version that each session has agreed on; nearly every stream has one session.
        private struct SessionVersions {
            private var first: (session: UInt8, version: UInt8)?
            private var others: [UInt8: UInt8] = [:]

            var isEmpty: Bool { first == nil && others.isEmpty }

            /// Returns whether the given session, if it is one, is the only known one.
            func areNoOther(than one: (session: UInt8, version: UInt8)) -> Bool {
                others.isEmpty && (first ?? (0, 0)) == one
            }

            mutating func remove(_ session: UInt8) {
                if first?.session == session { first = nil }
                others[session] = nil
            }

            subscript(session: UInt8) -> UInt8? {
                if let first, first.session == session { return first.version }
                return others.isEmpty ? nil : others[session]
            }

            mutating func add(_ session: UInt8, _ version: UInt8) {
                if first == nil { first = (session, version) } else { others[session] = version }
            }
        }

        /// Creates an empty assembly; the limit is `Limits.bufferedBytes` unless a test lowers it.
        init(maximumBufferedBytes: Int = Limits.bufferedBytes) {
            self.maximumBufferedBytes = maximumBufferedBytes
        }

        /// Whether any message is unfinished.
        var hasPartials: Bool { !partials.isEmpty }

        /// Whether the other side accepts only smaller frames than the version allows.
        var isBounded: Bool { !limits.isEmpty }

        /// Whether the stream has no state except `agreement`.
        var knowsNoMore: Bool {
            !hasPartials && !hasLoss && !isBounded && versions.areNoOther(than: latest)
        }

        /// The start of the oldest unfinished message.
        var oldestOffset: UInt64? {
            var oldest: UInt64?
            for index in partials.indices {
                guard let start = partials[index].ranges.first?.lowerBound else { continue }
                oldest = min(oldest ?? start, start)
            }
            return oldest
        }

        /// Processes one frame and appends the message that it completes.
        mutating func consume(
            _ header: Header, _ payload: RawSpan, _ range: Range<UInt64>,
            into messages: inout [StreamMessage], asking screening: inout Screening
        ) {
            var anomalies = FrameCheck(header, limits.first { $0.bounds(header) }).anomalies
            if let anomaly = versionAnomaly(header) { anomalies.append(anomaly) }
            switch header.frameType {
            case .control:
                let message = Message(controlFrame: header, payload, anomalies: anomalies)
                if let limit = FrameLimit(announcedBy: message) { announced.append(limit) }
                if header.endsSession { forget(session: header.sessionID) }
                messages.append(StreamMessage(content: message, ranges: [range]))
            case .single:
                let message = Message(
                    data: header, isEncrypted: header.isEncrypted, frameCount: 1,
                    [UInt8](copying: payload), anomalies: anomalies)
                messages.append(StreamMessage(content: message, ranges: [range]))
            case .first:
                begin(header, payload, range, anomalies, into: &messages)
            case .consecutive:
                resume(
                    header, payload, range, anomalies, into: &messages, asking: &screening)
            case .reserved4, .reserved5, .reserved6, .reserved7:
                let error = DecodeError(
                    .badValue, in: "sdl.frame_type", at: 0,
                    "frame type \(header.frameType.rawValue) is reserved")
                report(error, header, payload, range, "2.3", anomalies, into: &messages)
            }
        }

        /// Reports the message that a lost frame belonged to, if it was unfinished.
        mutating func drop(
            messageOf header: Header, missing: UInt64, into messages: inout [StreamMessage]
        ) {
            guard header.frameType == .first || header.frameType == .consecutive else { return }
            drop(Key(header), because: Self.loss(missing), isLoss: true, into: &messages)
        }

        /// Reports all unfinished messages as lost in a gap.
        mutating func dropAll(missing: UInt64, into messages: inout [StreamMessage]) {
            for key in partials.map(\.key) {
                drop(key, because: Self.loss(missing), isLoss: true, into: &messages)
            }
        }

        /// Reports all unfinished messages at the end of the stream.
        mutating func dropUnfinished(into messages: inout [StreamMessage]) {
            for key in partials.map(\.key) {
                drop(key, because: "the stream ends before its last frame", into: &messages)
            }
        }

        private static func loss(_ missing: UInt64) -> String {
            missing < NestedConnection.unknownGap
                ? "the capture lacks \(missing) byte(s) of the stream"
                : "the capture lacks bytes of the stream"
        }
    }
}

// MARK: - Multi-frame messages

extension SDL.MessageAssembly {
    private mutating func begin(
        _ header: SDL.Header, _ payload: RawSpan, _ range: Range<UInt64>, _ anomalies: [Anomaly],
        into messages: inout [StreamMessage]
    ) {
        drop(
            Key(header), because: "a new First frame comes before its last frame",
            into: &messages)
        do throws(DecodeError) {
            let partial = try SDL.PartialMessage(header, payload, range, anomalies)
            if partials.count >= SDL.Limits.partialMessages, let oldest = partials.first {
                drop(
                    oldest.key, because: "more than Limits.partialMessages are unfinished",
                    code: .limit, into: &messages)
            }
            partials.append(partial)
        } catch {
            report(error, header, payload, range, "3.3.1", anomalies, into: &messages)
        }
    }

    private mutating func resume(
        _ header: SDL.Header, _ payload: RawSpan, _ range: Range<UInt64>, _ anomalies: [Anomaly],
        into messages: inout [StreamMessage], asking screening: inout Screening
    ) {
        guard let index = partials.firstIndex(where: { $0.key == Key(header) }) else {
            let error = DecodeError(
                .badValue, in: "sdl.frame_type", at: 0,
                "a Consecutive frame without a First frame")
            report(
                error, header, payload, range, "3.3", anomalies, isLoss: hasLoss,
                into: &messages)
            return
        }
        let room = maximumBufferedBytes - bufferedBytes
        let isKept = !partials[index].isSeen(by: screening)
        let kept = partials[index].append(
            header, payload, count: payload.byteCount, range, anomalies, room: room,
            isKept: isKept)
        bufferedBytes += kept
        conclude(index, into: &messages, asking: &screening)
    }

    /// Returns whether nothing more need be kept of the message that a frame continues.
    func isSeen(_ header: SDL.Header, by screening: borrowing Screening) -> Bool {
        partials.first { $0.key == Key(header) }?.isSeen(by: screening) ?? false
    }

    /// Processes a frame of which nothing is kept.
    mutating func pass(
        _ header: SDL.Header, _ range: Range<UInt64>, into messages: inout [StreamMessage],
        asking screening: inout Screening
    ) {
        guard let index = partials.firstIndex(where: { $0.key == Key(header) }) else { return }
        bufferedBytes += partials[index].append(
            header, RawSpan(), count: Int(header.dataSize), range, [],
            room: maximumBufferedBytes - bufferedBytes, isKept: false)
        conclude(index, into: &messages, asking: &screening)
    }

    /// Creates a message of frames if the last of them has arrived.
    private mutating func conclude(
        _ index: Int, into messages: inout [StreamMessage], asking screening: inout Screening
    ) {
        guard partials[index].isComplete else { return }
        let partial = partials.remove(at: index)
        bufferedBytes -= partial.payloadCount
        if !screening.wantsAll, partial.isPassedOver(asking: &screening) { return }
        messages.append(StreamMessage(content: partial.message, ranges: partial.ranges))
    }

    private mutating func drop(
        _ key: Key, because reason: String, code: DecodeError.Code = .truncated,
        isLoss: Bool = false, into messages: inout [StreamMessage]
    ) {
        guard let index = partials.firstIndex(where: { $0.key == key }) else { return }
        let partial = partials.remove(at: index)
        bufferedBytes -= partial.payloadCount
        let error = DecodeError(
            code, in: "sdl", at: partial.payloadCount, "unfinished message: \(reason)")
        let message = SDL.Message(
            malformed: error, header: partial.header, frameCount: partial.frameCount,
            payload: partial.payload, section: "3.3", anomalies: partial.anomalies,
            isLoss: isLoss)
        messages.append(StreamMessage(content: message, ranges: partial.ranges))
    }

    private func report(
        _ error: DecodeError, _ header: SDL.Header, _ payload: RawSpan, _ range: Range<UInt64>,
        _ section: String, _ anomalies: [Anomaly], isLoss: Bool = false,
        into messages: inout [StreamMessage]
    ) {
        let message = SDL.Message(
            malformed: error, header: header, payload: [UInt8](copying: payload),
            section: section, anomalies: anomalies, isLoss: isLoss)
        messages.append(StreamMessage(content: message, ranges: [range]))
    }
}

// MARK: - State of the stream

extension SDL.MessageAssembly {
    /// Records the version of a session and returns an anomaly if it changes (4.2.3).
    ///
    /// The first data frame fixes the version. Control frames before that precede the agreement or
    /// are part of it, and those that start a service may always have another version.
    private mutating func versionAnomaly(_ header: SDL.Header) -> Anomaly? {
        let isStart =
            header.frameType == .control
            && SDL.ControlFrame(rawValue: header.frameInfo)?.startsService == true
        guard !isStart, header.sessionID != 0, header.service != nil else { return nil }
        guard latest != (header.sessionID, header.version) else { return nil }
        guard let agreed = versions[header.sessionID] else {
            if header.frameType != .control {
                record(version: header.version, ofSession: header.sessionID)
            }
            return nil
        }
        guard agreed != header.version else {
            latest = (header.sessionID, header.version)
            return nil
        }
        return Anomaly(
            .violation,
            "protocol version \(header.version) after version \(agreed) in session "
                + "\(header.sessionID)", specification: SDL.citation("4.2.3"))
    }

    /// Forgets a session that ends: a later one may have its id and another version.
    mutating func forget(session: UInt8) {
        versions.remove(session)
        if latest.session == session { latest = (0, 0) }
    }

    /// Records what a StartServiceACK announces that is passed over.
    mutating func recordAnnouncement(_ header: SDL.Header, _ payload: RawSpan) {
        if let limit = SDL.FrameLimit(announcedBy: header, payload) { announced.append(limit) }
    }

    /// Records a limit that the other side has announced.
    mutating func record(_ limit: SDL.FrameLimit) {
        limits.removeAll { $0.service == limit.service && $0.session == limit.session }
        if limit.isTight, limits.count < SDL.Limits.frameLimits { limits.append(limit) }
    }

    /// Records what `FrameHeaderReader` has adopted as agreed.
    mutating func record(_ agreement: HeaderContext) {
        guard agreement != self.agreement else { return }
        record(
            version: UInt8(truncatingIfNeeded: agreement),
            ofSession: UInt8(truncatingIfNeeded: agreement >> 8))
    }

    /// Records the version of a data frame that is passed over.
    mutating func record(version: UInt8, ofSession session: UInt8) {
        guard session != 0, latest != (session, version) else { return }
        guard let agreed = versions[session] else {
            versions.add(session, version)
            latest = (session, version)
            return
        }
        if agreed == version { latest = (session, version) }
    }

    /// Returns whether a frame may start at the first byte.
    ///
    /// The result is `nil` if there are too few bytes to decide.
    ///
    /// It is stricter than a synchronised decoder, because it examines arbitrary bytes. Once
    /// sessions are known, a header of another session or version counts only if it starts one.
    func isPlausible(_ bytes: RawSpan) -> Bool? {
        let count = bytes.byteCount
        guard count > 0 else { return nil }
        let first = bytes.unsafeLoad(fromByteOffset: 0, as: UInt8.self)
        let start = SDLPackedHeader(firstByte: first)
        let type = SDL.FrameType(start.frameType)
        guard SDL.versions.contains(start.version), !type.isReserved else { return false }
        guard type != .first || !start.isEncrypted else { return false }
        guard count >= SDL.Header.shortSize else {
            let service = count > 1 ? bytes.unsafeLoad(fromByteOffset: 1, as: UInt8.self) : 0
            return SDL.ServiceType(rawValue: service) == nil ? false : nil
        }
        guard count >= SDL.Header.longSize || start.version == 1 else { return nil }
        var reader = ByteReader(bytes, unit: "sdl.header")
        guard let header = try? SDL.Header(parsing: &reader), header.service != nil else {
            return false
        }
        return hasPlausibleInfo(header) && hasPlausibleSize(header) && hasPlausibleSession(header)
    }

    private func hasPlausibleInfo(_ header: SDL.Header) -> Bool {
        switch header.frameType {
        case .control: SDL.ControlFrame(rawValue: header.frameInfo) != nil
        case .consecutive: true
        default: header.frameInfo == 0
        }
    }

    private func hasPlausibleSize(_ header: SDL.Header) -> Bool {
        let size = Int(header.dataSize)
        switch header.frameType {
        case .control: return size <= SDL.Limits.controlPayload
        case .first: return size == SDL.PartialMessage.firstPayloadSize
        default:
            let slack = SDL.Header.longSize
            return (1...SDL.maximumPayload(version: header.version) + slack).contains(size)
        }
    }

    private func hasPlausibleSession(_ header: SDL.Header) -> Bool {
        let isStart =
            header.frameType == .control
            && SDL.ControlFrame(rawValue: header.frameInfo)?.startsService == true
        return isStart || versions.isEmpty || versions[header.sessionID] == header.version
    }
}

extension SDL.ControlFrame {
    /// Whether the frame starts a service, or answers such a frame.
    fileprivate var startsService: Bool {
        self == .startService || self == .startServiceACK || self == .startServiceNAK
    }
}
