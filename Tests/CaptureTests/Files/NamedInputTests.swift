import Glibc
import System
import TestSupport
import Testing

@Suite("Inputs that a user names")
struct NamedInputTests {
    private let folder = TemporaryFolder()

    private func pipe(_ name: String = "pipe") -> String {
        let path = "\(folder.path)/\(name)"
        mkfifo(path, 0o600)
        return path
    }

    private func error(_ path: String) -> String {
        do throws(FileError) {
            _ = try NamedInput(path, patience: .milliseconds(50)).contents(limit: 100)
            return ""
        } catch {
            return error.cause
        }
    }

    @Test("A regular file is read up to a limit")
    func regular() throws {
        let path = "\(folder.path)/file"
        try HeldFile(path).replace(with: [1, 2, 3])
        #expect(try NamedInput(path).contents(limit: 3) == [1, 2, 3])
        #expect(try !NamedInput(path).isStream && !NamedInput.isStream(path))
        do throws(FileError) {
            _ = try NamedInput(path).contents(limit: 2)
            Issue.record("the limit does not hold")
        } catch {
            #expect(error.code == EFBIG)
        }
    }

    @Test("A pipe that nobody writes is given up, with the reason")
    func noWriter() {
        let start = ContinuousClock.now
        #expect(error(pipe()) == "nobody has opened this pipe for writing in 0.05 seconds")
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test("A pipe is read to its end, however late its writer comes and however slowly it writes")
    func lateWriter() throws {
        let path = pipe()
        let script = "sleep 0.2; (printf ab; sleep 0.3; printf c) > '\(path)'"
        let process = try #require(popen(script, "w"))
        let input = try NamedInput(path, patience: .seconds(20))
        #expect(input.isStream && NamedInput.isStream(path))
        #expect(try input.contents(limit: 100) == Array("abc".utf8))
        pclose(process)
    }

    @Test("A pipe whose writer closes it without a byte is empty")
    func silentWriter() throws {
        let path = pipe()
        let process = try #require(popen("sleep 0.2; : > '\(path)'", "w"))
        #expect(try NamedInput(path, patience: .seconds(20)).contents(limit: 9).isEmpty)
        pclose(process)
    }

    @Test("An inherited pipe is read by /dev/fd, even if its writer has ended")
    func inherited() throws {
        for text in ["abc", ""] {
            var ends: [Int32] = [-1, -1]
            #expect(Glibc.pipe(&ends) == 0)
            write(ends[1], text, text.utf8.count)
            close(ends[1])
            for path in ["/dev/fd/\(ends[0])", "/proc/self/fd/\(ends[0])"].prefix(1) {
                #expect(try NamedInput(path).contents(limit: 100) == Array(text.utf8))
            }
            close(ends[0])
        }
    }

    @Test("Folders, devices and sockets are refused, each with the reason")
    func special() throws {
        #expect(error("/dev/zero") == "it is a character device, not a file")
        #expect(error(folder.path) == "it is a folder")
        #expect(error("\(folder.path)/none") == "No such file or directory")
        // The path of a socket must be short, and the folder's path may be long.
        let held = open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(held) }
        let path = "/proc/self/fd/\(held)/socket"
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(isBound == 0)
        #expect(error(path) == "it is a socket, not a file")
    }
}
