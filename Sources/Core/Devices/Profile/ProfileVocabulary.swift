import HTTP
import SuiteLanguage
import Wire

extension DeviceProfile {
    /// The JSON Schema of device profiles, for editors.
    public static func schema(_ schemas: SuiteSchema) -> Value {
        schemas.document(
            ProfileVocabulary.profile, hasVariables: false,
            example: """
                {"name": "My SDL app", "role": "sdl.app",
                  "launch": ["./my-app", "--host", "${host}", "--port", "${port}"],
                  "features": ["sdl.change-registration"]}
                """)
    }
}

/// The keys of device profiles, for each mapping.
enum ProfileVocabulary {
    /// A device profile.
    static let profile = MappingDescription(
        "device-profile", subject: "device profile",
        summary: "A device under test: how it is started, controlled and stopped.",
        keys: [
            KeyDescription("conform", .version, "Version of the format."),
            KeyDescription("name", .text, "The name of the device.", isRequired: true),
            KeyDescription("version", .text, "The version of the device."),
            KeyDescription(
                "role", .text, "The kind of device, such as sdl.app.", isRequired: true),
            KeyDescription("launch", .texts, "The program that is the device, with arguments."),
            KeyDescription(
                "attach", .mapping(attachment), "Where a running device is found.",
                excludes: ["launch"]),
            KeyDescription(
                "capture",
                .any([.mapping(captureSource), .list(.mapping(captureSource), atLeast: 1)]),
                "Where an attached device is captured; by default on its interface."),
            KeyDescription("env", .named(.any, .text), "Environment variables of the device."),
            KeyDescription("cwd", .text, "Its working directory; by default the profile's folder."),
            KeyDescription(
                "ready", .any([.word(["none", "firstPacket"]), .mapping(readiness)]),
                "How the device shows that it is ready."),
            KeyDescription(
                "controls", .named(.any, .any([.word(["stdin"]), .mapping(control)])),
                "The controls of the device, by name."),
            KeyDescription(
                "companions", .named(.any, .mapping(companion)),
                "Further programs that belong to the device, by name."),
            KeyDescription("features", .texts, "The features that the device has."),
            KeyDescription(
                "parameters", .named(.any, .value), "Values that suites need to test the device."),
            KeyDescription("stop", .mapping(stop), "How the device is stopped."),
            KeyDescription("limits", .mapping(limits), "What the device may use."),
            KeyDescription(
                "files", .mapping(files), "The files of the machine that it needs."),
            KeyDescription(
                "exit", .word(ExitMeaning.allCases.map(\.rawValue)),
                "What it means that the device ends by itself."),
            KeyDescription(
                "liveness", .word(DeviceProfile.Liveness.allCases.map(\.rawValue)),
                "How to check at the end of a case whether the device still answers."),
            KeyDescription(
                "configuration", .word(configurations),
                "Whether it is set up as a case says; with none such cases are skipped."),
            KeyDescription(
                "keyLog", .boolean,
                "Whether it writes the keys of TLS connections into the file SSLKEYLOGFILE."),
            KeyDescription(
                "timeScale", .word(DeviceProfile.TimeScaling.allCases.map(\.rawValue)),
                "How the device can be made to run faster for --time-scale."),
        ])

    /// What a device does with `given.device`: configure itself, or nothing.
    static let configurations = ["document", "none"]

    private typealias ExitMeaning = DeviceProfile.ExitMeaning

    /// The value of `attach`.
    static let attachment = MappingDescription(
        "attach", subject: "device to attach to", summary: "A device that runs already.",
        keys: [
            KeyDescription("address", .text, "Its address.", isRequired: true),
            KeyDescription(
                "interface", .text, "The interface on which it is reached.", isRequired: true),
            KeyDescription(
                "before", .texts, "Controls that bring it to its starting point before a case."),
            KeyDescription("after", .texts, "Controls that are carried out after a case."),
        ])

    /// One source of packets.
    static let captureSource = MappingDescription(
        "capture", subject: "source of packets", summary: "One of command and interface.",
        keys: [
            KeyDescription(
                "command", .texts, "A program that writes pcap or pcapng to its output."),
            KeyDescription("interface", .text, "An interface of this machine."),
            KeyDescription(
                "probe", .text,
                "Where conform sends UDP packets that the program must show; the device's port 9."),
            KeyDescription("timeout", .duration, "How long it may show nothing; 10s."),
        ])

    /// One companion.
    static let companion = MappingDescription(
        "companion", summary: "A further program that belongs to the device.",
        keys: [
            KeyDescription("launch", .texts, "The program with arguments.", isRequired: true),
            KeyDescription("env", .named(.any, .text), "Variables in addition to the device's."),
            KeyDescription("cwd", .text, "Its working directory; by default the profile's folder."),
            KeyDescription(
                "ready", .any([.word(["none"]), .mapping(readiness)]),
                "How it shows that it is ready: by a line or a port."),
            KeyDescription(
                "start", .word(DeviceProfile.Companion.Begin.allCases.map(\.rawValue)),
                "Whether it is launched before the device or after it."),
            KeyDescription(
                "exit", .word(ExitMeaning.allCases.map(\.rawValue)),
                "What it means that it ends by itself."),
            KeyDescription("stop", .mapping(stop), "How it is stopped."),
        ])

    /// The value of `ready` if it is a mapping.
    static let readiness = MappingDescription(
        "ready", subject: "readiness", summary: "One of line, port and firstPacket.",
        keys: [
            KeyDescription("timeout", .duration, "How long that may take."),
            KeyDescription("line", .text, "It writes a line that contains this."),
            KeyDescription("port", .integer(1...65535), "It listens on this TCP port."),
            KeyDescription("firstPacket", .boolean, "It sends its first packet."),
        ])

    /// The keys of a control that define how it reaches the device.
    static let controlWays = [
        "stdin", "signal", "command", "ssh", "http", "serial", "operator",
    ]

    /// One control that is a mapping.
    static let control = MappingDescription(
        "control", summary: "One of stdin, signal, command, ssh, http, serial and operator.",
        keys: [
            KeyDescription("stdin", .text, "A JSON-RPC request of this method on its input."),
            KeyDescription("signal", .text, "This signal."),
            KeyDescription("command", .texts, "A program that does it."),
            KeyDescription("ssh", .mapping(ssh), "A command on another machine."),
            KeyDescription("http", .mapping(http), "An HTTP request."),
            KeyDescription("serial", .mapping(serial), "A line of text on a serial line."),
            KeyDescription("operator", .text, "What a person does and confirms."),
            KeyDescription("timeout", .duration, "How long it may take."),
            KeyDescription("answer", .text, "What a line of the answer must contain."),
        ])

    /// The value of `ssh` of a control.
    static let ssh = MappingDescription(
        "ssh", subject: "SSH command", summary: "A command on another machine.",
        keys: [
            KeyDescription("host", .text, "The machine, user@host.", isRequired: true),
            KeyDescription("port", .integer(1...65535), "The port."),
            KeyDescription("identity", .text, "The file of the private key."),
            KeyDescription("options", .texts, "Further options, such as User=tester."),
            KeyDescription("command", .texts, "The program with arguments.", isRequired: true),
        ])

    /// The value of `http` of a control.
    static let http = MappingDescription(
        "http", subject: "HTTP request", summary: "An HTTP request without TLS.",
        keys: [
            KeyDescription("url", .text, "http://NUMBER:PORT/PATH.", isRequired: true),
            KeyDescription("method", .text, "GET; with a body POST."),
            KeyDescription("headers", .named(.any, .text), "Further header fields."),
            KeyDescription("body", .text, "The body."),
            KeyDescription("status", .integer(100...599), "The status that must come back."),
        ])

    /// The value of `serial` of a control.
    static let serial = MappingDescription(
        "serial", subject: "serial line", summary: "A line of text on a serial line.",
        keys: [
            KeyDescription("path", .text, "The device file.", isRequired: true),
            KeyDescription("baud", .integer(1...10_000_000), "Bits per second; 115200."),
            KeyDescription("send", .text, "The line, without its end.", isRequired: true),
        ])

    /// The value of `stop`.
    static let stop = MappingDescription(
        "stop", subject: "way to stop", summary: "How the device is stopped.",
        keys: [
            KeyDescription("signal", .text, "The signal that asks it to end."),
            KeyDescription("grace", .duration, "How long it may take to end."),
        ])

    /// The value of `limits`.
    static let limits = MappingDescription(
        "limits", subject: "set of limits", summary: "What the device may use.",
        keys: [
            KeyDescription("cpu", .duration, "Processor time."),
            KeyDescription("memory", bytes, "Memory, such as 512MiB."),
            KeyDescription("processes", .integer(1...1_000_000), "Processes."),
            KeyDescription("output", bytes, "What it writes to its log, such as 64MiB."),
            KeyDescription("fileSize", bytes, "The largest file that it may write."),
            KeyDescription("openFiles", .integer(4...1_000_000), "Open files."),
            KeyDescription("capture", bytes, "The packets of a case, such as 256MiB."),
        ])

    /// The value of `files`.
    static let files = MappingDescription(
        "files", subject: "set of files",
        summary: "Files that the device may see although they are hidden from devices.",
        keys: [
            KeyDescription("read", .texts, "Files and folders that it may read."),
            KeyDescription("write", .texts, "Files and folders that it may read and write."),
        ])

    private static let bytes = ValueForm.any([
        .integer(1...Int64.max), .matching("^[0-9]+(KiB|MiB|GiB)?$"),
    ])
}
