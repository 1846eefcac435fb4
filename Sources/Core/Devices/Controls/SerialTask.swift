import Glibc
import SuiteLanguage
import System

/// A line of text on a serial port; it is done when it has been written and answered.
final class SerialTask: ControlTask {
    private let name: String
    private let path: String
    private let baud: Int
    private let awaitsAnswer: Bool
    private let line: String
    private var unwritten: ArraySlice<UInt8>
    private var port: Descriptor?
    private var splitter = LineSplitter()

    private static let chunkSize = 4096
    /// Speeds that terminals support (POSIX.1-2017 termios.h, and Linux's higher ones).
    static let speeds: [Int: speed_t] = [
        1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
        19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600),
        115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800),
        921_600: speed_t(B921600),
    ]

    init(
        _ name: String, _ control: SerialControl,
        _ fill: (String) throws(DeviceError) -> String, awaitsAnswer: Bool
    ) throws(DeviceError) {
        self.name = name
        path = try fill(control.path)
        baud = control.baud
        line = try fill(control.send)
        unwritten = Array((line + "\n").utf8)[...]
        self.awaitsAnswer = awaitsAnswer
    }

    /// A description for the log.
    var description: String { "\(path) at \(baud): \(line)" }

    var resource: String? { path }
    var descriptors: [Int32] { port.map { [$0.number] } ?? [] }
    var isToBeRetried: Bool { !unwritten.isEmpty || !awaitsAnswer }

    func start() throws(DeviceError) {
        let number = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { throw failure("cannot be opened: \(errnoText())") }
        let port = Descriptor(number)
        var settings = termios()
        guard tcgetattr(number, &settings) == 0, let speed = Self.speeds[baud] else {
            throw failure("is not a serial line")
        }
        cfmakeraw(&settings)
        cfsetispeed(&settings, speed)
        cfsetospeed(&settings, speed)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        guard tcsetattr(number, TCSANOW, &settings) == 0 else {
            throw failure("cannot be set up: \(errnoText())")
        }
        // What the device sent earlier is no answer.
        tcflush(number, TCIFLUSH)
        self.port = port
    }

    func advance(_ print: (String) -> Void) throws(DeviceError) -> Bool {
        guard let port else { return false }
        if !unwritten.isEmpty { unwritten.removeFirst(try port.write(unwritten)) }
        switch port.read(upTo: Self.chunkSize) {
        case .bytes(let bytes): splitter.consume(bytes).forEach(print)
        case .none: break
        case .end: throw failure("was closed")
        }
        return unwritten.isEmpty && !awaitsAnswer
    }

    private func failure(_ what: String) -> DeviceError {
        DeviceError(.controlFailed, "control \(name): the serial line \(path) \(what)")
    }
}
