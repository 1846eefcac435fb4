import Live
import Reporting
import Results
import System

/// The runs of several devices, one after the other, with one report.
///
/// Each device has its own folder in that of the report.
struct DeviceSeries {
    private let devices: [(path: String, arguments: Arguments, plan: RunPlan)]
    private let arguments: Arguments
    private let folder: String

    /// Checks that all devices can be used before the first of them runs.
    init(_ devices: [String], _ arguments: Arguments) throws {
        self.arguments = arguments
        try PolicyOptions.checkSeveralDevices(arguments)
        if let word = try ReportOptions.further(arguments).named.keys.min() {
            throw UsageError(
                "\(ReportOptions.annotations.name) \(word)=FILE goes with one device; "
                    + "run each by itself")
        }
        self.devices = try devices.map { path in
            var own = arguments
            own.set(DeviceOption.option, to: [path])
            return (path, own, try RunOptions.plan(own))
        }
        folder =
            arguments.value(RunOptions.reports.name)
            ?? RunSession.freshFolder(in: LastRun.parent(arguments))
    }

    /// Runs each device; returns the gravest status.
    func run() throws -> ExitStatus {
        var names = FolderNames()
        var runs: [(folder: String, run: RunResult)] = []
        var exits: [ExitStatus] = []
        for device in devices {
            let file = device.path.split(separator: "/").last.map(String.init) ?? device.path
            let name = names.name(for: file.split(separator: ".").first.map(String.init) ?? file)
            var own = device.arguments
            own.set(RunOptions.reports, to: ["\(folder)/\(name)"])
            own.set(ReportOptions.junit, to: [])
            let (result, exit) = try Command.execute(own, device.plan)
            runs.append((name, result))
            exits.append(exit)
            if [.interrupted, .terminated].contains(exit) { break }
        }
        return try Self.publish(
            runs, in: folder, exits: exits, junit: arguments.value(ReportOptions.junit.name))
    }

    /// Writes the report of several devices, prints a summary, and returns the gravest status.
    static func publish(
        _ runs: [(folder: String, run: RunResult)], in folder: String, exits: [ExitStatus],
        junit: String?
    ) throws -> ExitStatus {
        let matrix = DeviceMatrix(runs)
        try DeviceMatrixFolder.write(matrix, to: folder, junit: junit)
        StandardOutput.print("")
        matrix.lines(style: Terminal.style).forEach { StandardOutput.print($0) }
        StandardOutput.print("side by side: \(folder)/index.html")
        return DeviceMatrix.gravest(exits)
    }
}

/// Unique names of folders.
struct FolderNames {
    private var taken: Set<String> = []

    /// Returns a name of letters, digits, `-` and `_` that resembles the text.
    mutating func name(for text: String) -> String {
        let plain = text.map { character in
            character.isASCII
                && (character.isLetter || character.isNumber || "-_".contains(character))
                ? character : "-"
        }
        let base = plain.isEmpty ? "device" : String(plain.prefix(60))
        var name = base
        var count = 1
        while !taken.insert(name).inserted {
            count += 1
            name = "\(base)-\(count)"
        }
        return name
    }
}
