import Glibc
import System
import Wire

/// The folders and files of one device's run, and the environment that points to them.
struct DeviceHome {
    /// A variable longer than this cannot be passed to a program (`MAX_ARG_STRLEN`).
    private static let longestVariable = 128 << 10

    /// The device's home directory, empty at the start.
    let home: String
    /// The folder of the device's temporary files, empty at the start.
    let temporary: String
    /// The configuration, as JSON.
    let configurationFile: String
    /// The key log that it writes, if its profile says so.
    let keyLog: DeviceKeyLog?
    private let configuration: String

    /// Makes the folders inside `folder` and writes the configuration.
    ///
    /// - Parameter user: The owner of the folders; `nil` for the harness's own user.
    /// - Parameter hasKeyLog: Whether it has a file for its keys, which later lives continue.
    init(
        in folder: String, configuration: Value, user: UInt32? = nil, hasKeyLog: Bool = false
    ) throws(DeviceError) {
        // An absolute path, because the device may have its own working directory.
        let base = try Self.absolute(folder)
        home = Self.home(in: base)
        temporary = base + "/tmp"
        configurationFile = base + "/config.json"
        self.configuration = configuration.jsonText()
        // Another user must be able to enter the folder, but not to change anything in it.
        do throws(FileError) {
            let held = try HeldFile(base).madeFolder(mode: user == nil ? 0o700 : 0o711)
            for path in [home, temporary] {
                let folder = try held.place(Self.name(of: path)).madeFolder(mode: 0o700)
                if let user { try Self.give(folder.descriptor, folder.path, to: user) }
            }
            keyLog =
                hasKeyLog ? try DeviceKeyLog(held.place("tls-keys.log"), user: user) : nil
            // A device may have replaced these files in an earlier life, even by a link to another
            // place.
            let place = try held.place(Self.name(of: configurationFile))
            let text = configuration.jsonText(pretty: true) + "\n"
            for (name, text) in Self.networkTexts {
                let place = try held.place("network-" + name)
                if place.contents == Array(text.utf8) { continue }
                let file = Descriptor(try place.create(mode: 0o644))
                try HeldFile.put(Array(text.utf8), into: file.number, named: place.path)
                if let user { try Self.give(file.number, place.path, to: user) }
            }
            // A companion may be reading it.
            if place.contents == Array(text.utf8) { return }
            let file = Descriptor(try place.create(mode: 0o600))
            try HeldFile.put(Array(text.utf8), into: file.number, named: place.path)
            if let user { try Self.give(file.number, place.path, to: user) }
        } catch {
            throw DeviceError(.cannotPrepare, "the device's folder: \(error)")
        }
    }

    /// Files of the system that a device in a network of its own finds changed, and what it finds.
    ///
    /// There no look-up of a name waits for an answer: the names of this host are in a file, and
    /// the name server is 127.0.0.1, the default, which refuses at once unless it is a peer.
    var networkFiles: [(path: String, source: String)] {
        let folder = FilePath.folder(of: configurationFile)
        return Self.networkTexts.map { ("/etc/" + $0.name, folder + "/network-" + $0.name) }
    }

    private static var networkTexts: [(name: String, text: String)] {
        var bytes = [CChar](repeating: 0, count: 256)
        gethostname(&bytes, bytes.count - 1)
        let host = String(
            decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let own = host.isEmpty || host == "localhost" ? "" : "127.0.0.1 \(host)\n"
        return [
            ("hosts", "127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n" + own),
            ("resolv.conf", "options timeout:1 attempts:1\n"),
            (
                "nsswitch.conf",
                "passwd: files\ngroup: files\nshadow: files\nhosts: files dns\nnetworks: files\n"
                    + "protocols: files\nservices: files\nethers: files\nrpc: files\n"
            ),
        ]
    }

    /// Whether the configuration is too large for a variable and is only in the file.
    var leavesVariableOut: Bool { configuration.utf8.count + 32 > Self.longestVariable }

    /// The PATH of devices whose profile sets none.
    static var searchPath: String {
        getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    }

    /// The variable by which the processes of a device are found, whatever sessions they are in.
    static let markVariable = "CONFORM_PROCESS"

    /// Returns the variables that every device gets, with those of the profile added or replaced.
    ///
    /// With each call `markVariable` has a value of its own, so that a life of a device does not end
    /// the next one.
    func environment(adding own: [String: String]) -> [String: String] {
        var variables = [
            "PATH": Self.searchPath,
            "HOME": home, "TMPDIR": temporary, "LANG": "C.UTF-8", "TZ": "UTC",
            "CONFORM_CONFIG_FILE": configurationFile,
        ]
        if !leavesVariableOut { variables["CONFORM_CONFIG"] = configuration }
        variables["SSLKEYLOGFILE"] = keyLog?.path
        variables.merge(own) { $1 }
        variables[Self.markVariable] = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return variables
    }

    /// Returns the device's home directory in the folder of its whole run.
    static func home(in folder: String) -> String { folder + "/home" }

    private static func absolute(_ path: String) throws(DeviceError) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let present = getcwd(nil, 0) else {
            throw DeviceError(
                .cannotPrepare, "the working directory is gone: \(errnoText())")
        }
        defer { free(present) }
        return String(cString: present) + "/" + path
    }

    static func give(
        _ file: Int32, _ path: String, to user: UInt32
    ) throws(FileError) {
        guard fchown(file, user, user) == 0 else {
            throw FileError("cannot be given to the device's user", path, errno: errno)
        }
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
