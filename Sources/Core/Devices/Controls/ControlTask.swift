import SuiteLanguage
import Wire

/// A control that is being carried out; none of its functions blocks.
protocol ControlTask: AnyObject {
    /// The resource that only one control may use at a time; `nil` if there is none.
    var resource: String? { get }
    /// The descriptors to poll for input.
    var descriptors: [Int32] { get }
    /// Whether `advance` has something to do even if no descriptor is ready.
    var isToBeRetried: Bool { get }

    /// Begins the control.
    func start() throws(DeviceError)

    /// Does what can be done now.
    ///
    /// - Parameter print: Gets each line of the answer.
    /// - Returns: Whether it is done.
    /// - Throws: Why it has failed.
    func advance(_ print: (String) -> Void) throws(DeviceError) -> Bool
}

/// Carries out the controls that need no process of the device.
///
/// It checks their time limits and answers. It is driven like `DeviceProcess`.
final class ControlRunner {
    private struct Work {
        let id: Int64
        let name: String
        let task: any ControlTask
        let limit: Duration
        let answer: String?
        /// When it must be done; `nil` while it has not begun.
        var deadline: ContinuousClock.Instant?
        var isAnswered: Bool
    }

    /// How often a task is retried that does not wait for a descriptor.
    private static let retryInterval: Duration = .milliseconds(5)
    /// The most bytes of a line that are examined and logged.
    private static let lineMax = 64 << 10

    private var works: [Work] = []
    private let log: DeviceLog
    private let placeholders: Placeholders
    private let person: Operator?
    /// Creates the launch of a command from its words and the settings of the device's profile.
    private let launch: ([String], [String: String]) throws(DeviceError) -> Launch

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - log: The log of what was done and what was answered.
    ///   - placeholders: The placeholders for the texts of controls, in addition to the arguments.
    ///   - person: The person who carries out what no program can.
    ///   - launch: Creates the launch of a command from its words and further variables.
    init(
        log: DeviceLog, placeholders: Placeholders, person: Operator?,
        launch: @escaping ([String], [String: String]) throws(DeviceError) -> Launch
    ) {
        self.log = log
        self.placeholders = placeholders
        self.person = person
        self.launch = launch
    }

    /// The descriptors to poll for input.
    var pollDescriptors: [Int32] {
        works.filter { $0.deadline != nil }.flatMap(\.task.descriptors)
    }

    /// Time until `advance` has something to do; `nil` if only a descriptor can.
    var nextDeadline: Duration? {
        let deadlines = works.compactMap { work in work.deadline.map { $0 - .now } }
        let isRetrying = works.contains { $0.deadline != nil && $0.task.isToBeRetried }
        return (deadlines + (isRetrying ? [Self.retryInterval] : [])).min().map { max($0, .zero) }
    }

    /// Begins a control, or queues it after those that use the same resource.
    func perform(
        _ name: String, _ control: DeviceProfile.Control, arguments: Value, id: Int64
    ) throws(DeviceError) {
        let own = placeholders.adding(arguments)
        func fill(_ text: String) throws(DeviceError) -> String {
            try own.fill(text, in: "control \(name)")
        }
        let task = try task(name, control, fill, arguments)
        works.append(
            Work(
                id: id, name: name, task: task, limit: control.limit,
                answer: try control.answer.map(fill), deadline: nil,
                isAnswered: control.answer == nil))
        try startNext()
    }

    private func task(
        _ name: String, _ control: DeviceProfile.Control,
        _ fill: (String) throws(DeviceError) -> String, _ arguments: Value
    ) throws(DeviceError) -> any ControlTask {
        func command(_ words: [String]) throws(DeviceError) -> any ControlTask {
            log.record("control \(name): \(words.joined(separator: " "))")
            let variables = [
                "CONFORM_CONTROL": name, "CONFORM_ARGUMENTS": arguments.jsonText(),
            ]
            return CommandTask(name, try launch(words, variables))
        }
        switch control.way {
        case .command(let texts):
            var words: [String] = []
            for text in texts { words.append(try fill(text)) }
            return try command(words)
        case .ssh(let ssh): return try command(try ssh.words(fill))
        case .http(let http):
            let task = try HTTPTask(name, http, fill)
            log.record("control \(name): \(task.description)")
            return task
        case .serial(let serial):
            let task = try SerialTask(name, serial, fill, awaitsAnswer: control.answer != nil)
            log.record("control \(name): \(task.description)")
            return task
        case .person(let sentence):
            let task = OperatorTask(name, try fill(sentence), by: person)
            log.record("control \(name): \(task.description)")
            return task
        case .request, .signal:
            throw DeviceError(
                .controlFailed, "control \(name) needs a device that conform launches")
        }
    }

    /// Handles one descriptor that is ready.
    func handle(_ descriptor: Int32) -> [DeviceNotice] {
        guard pollDescriptors.contains(descriptor) else { return [] }
        return advance()
    }

    /// Does what can be done now.
    func advance() -> [DeviceNotice] {
        var notices: [DeviceNotice] = []
        for index in works.indices.reversed() where works[index].deadline != nil {
            notices += serve(index)
        }
        do throws(DeviceError) {
            try startNext()
        } catch {
            // The control that could not begin is the first waiting one.
            if let index = works.firstIndex(where: { $0.deadline == nil }) {
                notices.append(ended(index, .failure(error)))
            }
        }
        return notices
    }

    private func serve(_ index: Int) -> [DeviceNotice] {
        var lines: [String] = []
        let work = works[index]
        var result: Result<Value, DeviceError>?
        do throws(DeviceError) {
            let isDone = try work.task.advance { lines.append(String($0.prefix(Self.lineMax))) }
            if let answer = work.answer, lines.contains(where: { $0.contains(answer) }) {
                works[index].isAnswered = true
            }
            if isDone || (work.task is SerialTask && works[index].isAnswered) {
                result = works[index].isAnswered ? .success(.null) : .failure(unanswered(work))
            }
        } catch {
            result = .failure(error)
        }
        if result == nil, let deadline = work.deadline, deadline <= .now {
            let missing = work.answer.map { ": no line with \"\($0)\"" } ?? ""
            result = .failure(
                DeviceError(
                    .controlFailed,
                    "control \(work.name) was not done after \(work.limit)\(missing)",
                    advice: "look into the device's log, or give it more time with \"timeout\""))
        }
        log.output(lines, stream: .control)
        var notices = lines.map { DeviceNotice.output(.control, $0) }
        if let person, work.task is OperatorTask, case .success? = result {
            notices.append(.confirmed(control: work.name, by: person.name))
        }
        return notices + (result.map { [ended(index, $0)] } ?? [])
    }

    private func unanswered(_ work: Work) -> DeviceError {
        DeviceError(
            .controlFailed,
            "control \(work.name): no line of its answer contains \"\(work.answer ?? "")\"",
            advice: "look into the device's log for what it answered")
    }

    private func ended(_ index: Int, _ result: Result<Value, DeviceError>) -> DeviceNotice {
        let work = works.remove(at: index)
        if case .failure(let error) = result { log.record("control \(work.name) failed: \(error)") }
        return .controlAnswered(id: work.id, result: result)
    }

    /// Begins the controls that need not wait any more.
    private func startNext() throws(DeviceError) {
        var used = Set(works.filter { $0.deadline != nil }.compactMap(\.task.resource))
        for index in works.indices where works[index].deadline == nil {
            if let resource = works[index].task.resource, !used.insert(resource).inserted {
                continue
            }
            try works[index].task.start()
            works[index].deadline = .now + works[index].limit
        }
    }

    /// Ends all controls.
    func close() { works = [] }
}

extension Placeholders {
    /// Returns these placeholders with the arguments that a step gives to a control.
    func adding(_ arguments: Value) -> Placeholders {
        var own = self
        own.values["arguments"] = arguments.jsonText()
        for member in arguments.objectValue ?? [] {
            own.values["arguments.\(member.name)"] =
                member.value.stringValue ?? member.value.jsonText()
        }
        return own
    }
}
