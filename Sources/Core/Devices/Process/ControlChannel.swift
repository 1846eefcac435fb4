import Wire

/// The requests of the harness to a device on its standard input, and their answers.
struct ControlChannel {
    /// The most bytes that may wait for a device that does not read its standard input.
    private static let longestQueue = 1 << 20

    private var input: Descriptor?
    private var unwritten: [UInt8] = []
    private var waiting: [Int64: String] = [:]
    private var lastId: Int64 = 0

    init(input: Descriptor) {
        input.setNonblocking()
        self.input = input
    }

    /// Whether something waits to be written.
    var hasUnwritten: Bool { !unwritten.isEmpty && input != nil }

    /// Returns a new identifier.
    mutating func makeId() -> Int64 {
        lastId += 1
        return lastId
    }

    /// Sends a JSON-RPC 2.0 request and returns its text.
    mutating func send(
        _ control: String, method: String, arguments: Value, id: Int64
    ) throws(DeviceError) -> String {
        var members: [Value.Member] = [
            .init("jsonrpc", "2.0"), .init("id", .integer(id)), .init("method", .string(method)),
        ]
        switch arguments {
        case .null: break
        case .object, .array: members.append(.init("params", arguments))
        default: members.append(.init("params", [arguments]))
        }
        let text = Value.object(members).jsonText()
        guard unwritten.count + text.utf8.count <= Self.longestQueue else {
            throw DeviceError(
                .controlFailed, "control \(control): the device does not read its standard input")
        }
        unwritten += Array(text.utf8) + [UInt8(ascii: "\n")]
        try write()
        waiting[id] = control
        return text
    }

    /// Sends a line.
    ///
    /// - Throws: `DeviceError` if more than 1 MiB waits to be read.
    mutating func send(line: String) throws(DeviceError) {
        guard unwritten.count + line.utf8.count <= Self.longestQueue else {
            throw DeviceError(.controlFailed, "more than \(Self.longestQueue) bytes wait")
        }
        unwritten += Array(line.utf8) + [UInt8(ascii: "\n")]
        try write()
    }

    /// Writes what fits now; if a device has closed its input, the next `send` notices that.
    mutating func writeMore() {
        do {
            try write()
        } catch {
            unwritten = []
        }
    }

    private mutating func write() throws(DeviceError) {
        guard !unwritten.isEmpty else { return }
        guard let input else { throw DeviceError(.ended, "the device has ended") }
        unwritten.removeFirst(try input.write(unwritten[...]))
    }

    /// Returns the answer in a line of standard output, if it answers a pending request.
    mutating func answer(in line: String) -> DeviceNotice? {
        guard !waiting.isEmpty, line.first == "{", let document = try? Value(json: line),
            document["jsonrpc"] == "2.0", document["method"] == nil,
            let id = document["id"]?.integerValue, let control = waiting.removeValue(forKey: id)
        else { return nil }
        guard let error = document["error"] else {
            return .controlAnswered(id: id, result: .success(document["result"] ?? .null))
        }
        let message = error["message"]?.stringValue ?? error.jsonText()
        let failure = DeviceError(
            .controlFailed, "the device refused control \(control): \(message)")
        return .controlAnswered(id: id, result: .failure(failure))
    }

    /// Ends everything, because the device has ended.
    mutating func close() {
        input = nil
        unwritten = []
        waiting = [:]
    }
}
