import SuiteLanguage

/// A program that carries out a control; the control is done when the program has ended with 0.
final class CommandTask: ControlTask {
    let resource: String? = nil
    let isToBeRetried = false
    private let name: String
    private var launch: Launch
    private var reader: OutputReader?
    private var child: ChildProcess?

    /// Prepares a program; both of its outputs are read.
    init(_ name: String, _ launch: Launch) {
        self.name = name
        self.launch = launch
    }

    var descriptors: [Int32] {
        [reader?.descriptor?.number, child?.descriptor.number].compactMap(\.self)
    }

    func start() throws(DeviceError) {
        let (reading, writing) = try Descriptor.pipe()
        launch.output = writing
        launch.error = writing
        child = try ChildProcess(launch)
        // Only the program may hold the other end.
        launch.output = nil
        launch.error = nil
        reader = OutputReader(reading, stream: .control)
    }

    func advance(_ print: (String) -> Void) throws(DeviceError) -> Bool {
        let exit = child?.exit
        if exit == nil { reader?.read().forEach(print) } else { reader?.drain().forEach(print) }
        guard let exit else { return false }
        guard exit == .code(0) else {
            throw DeviceError(
                .controlFailed, "the command of control \(name) ended with \(exit)",
                advice: "look into the device's log for what it printed")
        }
        return true
    }
}
