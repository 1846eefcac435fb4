import SuiteLanguage
import Wire

extension DeviceProfile {
    /// How a control reaches the device, and which answer it must get.
    public struct Control: Sendable, Hashable {
        /// How a control reaches the device; texts have placeholders.
        public enum Way: Sendable, Hashable {
            /// A JSON-RPC 2.0 request with a method name, as one line on its standard input.
            case request(method: String)
            /// A signal to its process.
            case signal(Int32)
            /// A program of its own.
            case command([String])
            /// A command on another machine, through the program `ssh`.
            case ssh(SSHControl)
            /// An HTTP request.
            case http(HTTPControl)
            /// A line of text on a serial port.
            case serial(SerialControl)
            /// A sentence that a person carries out and confirms.
            case person(String)
        }

        /// How it reaches the device.
        public var way: Way
        /// How long the answer may take; `nil` for the default of its kind.
        public var timeout: Duration?
        /// What a line of the answer must contain, with placeholders; `nil` for anything.
        public var answer: String?

        /// Creates a request on the standard input.
        public static func request(method: String) -> Control {
            Control(way: .request(method: method))
        }

        /// How long a control through another program or machine may take by default.
        static let usualTimeout: Duration = .seconds(30)

        /// How long a person may take by default.
        static let usualPersonTimeout: Duration = .seconds(300)

        /// The sentence that is shown to a person; `nil` for other kinds of control.
        public var sentence: String? {
            if case .person(let sentence) = way { sentence } else { nil }
        }

        /// How long it may take.
        var limit: Duration {
            timeout ?? (sentence == nil ? Self.usualTimeout : Self.usualPersonTimeout)
        }

        /// Whether it needs a process that `conform` has launched.
        var needsProcess: Bool {
            switch way {
            case .request, .signal: true
            case .command, .ssh, .http, .serial, .person: false
            }
        }
    }
}

/// A command on another machine.
public struct SSHControl: Sendable, Hashable {
    /// The machine, `user@host` or a name of the SSH configuration.
    public var host: String
    /// The port; `nil` for the one in the SSH configuration.
    public var port: Int?
    /// The file of the private key; `nil` for those in the SSH configuration.
    public var identity: String?
    /// Further options of `ssh`, such as `StrictHostKeyChecking=yes`.
    public var options: [String]
    /// The program and its arguments; each reaches the other machine exactly as written.
    public var command: [String]

    /// Returns the command line of the local program `ssh`, with placeholders filled in by `fill`.
    func words(_ fill: (String) throws(DeviceError) -> String) throws(DeviceError) -> [String] {
        // `BatchMode`: a question that only a person could answer is an error at once.
        var words = ["ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10"]
        if let port { words += ["-p", String(port)] }
        if let identity { words += ["-i", try fill(identity)] }
        for option in options { words += ["-o", try fill(option)] }
        words += ["--", try fill(host)]
        var remote: [String] = []
        for word in command { remote.append(Self.quoted(try fill(word))) }
        return words + [remote.joined(separator: " ")]
    }

    /// Returns a word quoted for a POSIX shell (Shell Command Language 2.2.2).
    static func quoted(_ word: String) -> String {
        "'"
            + word.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}

/// An HTTP/1.1 request without TLS.
public struct HTTPControl: Sendable, Hashable {
    /// The method.
    public var method: String
    /// The address, `http://HOST:PORT/PATH`; the host is a numeric address or `localhost`.
    public var url: String
    /// Header fields in addition to those of every request.
    public var headers: [String: String]
    /// The body; `nil` for none.
    public var body: String?
    /// The status that the answer must have; `nil` for any from 200 to 299.
    public var status: Int?
}

/// A line of text on a serial port.
public struct SerialControl: Sendable, Hashable {
    /// The device file, such as `/dev/ttyUSB0`.
    public var path: String
    /// Bits per second.
    public var baud: Int
    /// The line, without its line end.
    public var send: String

    /// Bits per second by default.
    static let usualBaud = 115_200
}
