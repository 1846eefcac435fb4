import Glibc
import Testing
import Wire

@testable import Devices

@Suite("Controls")
struct DeviceControlTests {
    private static let answering = """
        while read -r line; do
            echo "got $line"
            case $line in
                *refuse*) echo '{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"not now"}}';;
                *) echo '{"jsonrpc":"2.0","id":1,"result":{"level":"FULL"}}';;
            esac
        done
        """

    private func answers(_ bench: TestBench) -> [Int64: Result<Value, DeviceError>] {
        bench.notices.reduce(into: [:]) { answers, notice in
            if case .controlAnswered(let id, let result) = notice { answers[id] = result }
        }
    }

    @Test("Controls by standard input are JSON-RPC requests and are answered")
    func request() throws {
        let bench = try TestBench(script: Self.answering) {
            $0.controls = [
                "set": .request(method: "device.set"), "refuse": .request(method: "refuse"),
            ]
        }
        let id = try bench.device.perform(control: "set", arguments: ["language": "DE-DE"])
        #expect(id == 1)
        #expect(bench.run { !answers($0).isEmpty })
        #expect(answers(bench)[1] == .success(["level": "FULL"]))
        let request =
            #"{"jsonrpc":"2.0","id":1,"method":"device.set","params":{"language":"DE-DE"}}"#
        #expect(bench.lines().first == "got " + request)
        #expect(bench.logText.contains("conform: control set: " + request))

        try bench.device.perform(control: "refuse")
        #expect(bench.run { answers($0).count == 2 })
        guard case .failure(let error)? = answers(bench)[2] else {
            Issue.record("\(bench.notices)")
            return
        }
        #expect(error.code == .controlFailed)
        #expect(error.detail == "the device refused control refuse: not now")
    }

    @Test("Controls by signal reach the process")
    func signal() throws {
        let bench = try TestBench(
            script: "trap 'echo hup' HUP; echo up; while :; do sleep 0.02; done"
        ) { $0.controls = ["reload": .init(way: .signal(SIGHUP))] }
        #expect(bench.run { $0.lines() == ["up"] })
        try bench.device.perform(control: "reload")
        #expect(bench.run { $0.lines() == ["up", "hup"] })
        #expect(bench.logText.contains("conform: control reload: SIGHUP"))
    }

    @Test("Controls by command run a program with the arguments")
    func command() throws {
        let script =
            "echo ${arguments.level} '${arguments}' $CONFORM_CONTROL >&2; exit ${arguments.code}"
        let bench = try TestBench(script: "sleep 60") {
            $0.controls = ["level": .init(way: .command(["sh", "-c", script]))]
        }
        try bench.device.perform(control: "level", arguments: ["level": "FULL", "code": 0])
        #expect(bench.run { answers($0).count == 1 && !$0.lines(.control).isEmpty })
        #expect(answers(bench)[1] == .success(.null))
        #expect(bench.lines(.control) == [#"FULL {"level":"FULL","code":0} level"#])

        try bench.device.perform(control: "level", arguments: ["level": "NONE", "code": 4])
        #expect(bench.run { answers($0).count == 2 })
        guard case .failure(let error)? = answers(bench)[2] else {
            Issue.record("\(bench.notices)")
            return
        }
        #expect(error.detail == "the command of control level ended with exit code 4")
    }

    @Test("Controls that the profile does not offer are refused with a suggestion")
    func unknown() throws {
        let bench = try TestBench(script: "sleep 60") {
            $0.controls = ["background": .request(method: "background")]
        }
        let error = #expect(throws: DeviceError.self) {
            try bench.device.perform(control: "backgruond")
        }
        #expect(error?.code == .noSuchControl)
        #expect(error?.advice == "did you mean \"background\"?")
    }

    @Test("Controls of a device that has ended are refused")
    func ended() throws {
        let bench = try TestBench(script: "exit 0") { $0.controls = ["x": .request(method: "x")] }
        bench.runToEnd()
        let error = #expect(throws: DeviceError.self) { try bench.device.perform(control: "x") }
        #expect(error?.code == .ended)
    }

    @Test("Controls of a device that has closed its input fail, and SIGPIPE kills no process")
    func closedInput() throws {
        let bench = try TestBench(script: "exec <&-; echo up; sleep 60") {
            $0.controls = ["x": .request(method: "x")]
        }
        #expect(bench.run { $0.lines() == ["up"] })
        var failure: DeviceError?
        // A process that another test is starting holds the pipe until its exec.
        for _ in 0..<400 where failure == nil {
            do throws(DeviceError) {
                try bench.device.perform(control: "x")
            } catch {
                failure = error
            }
            usleep(5000)
        }
        #expect(failure?.code == .ended)
    }

    @Test("Controls of a device that does not read never block, and fail when too much is queued")
    func unread() throws {
        let bench = try TestBench(script: "sleep 60") { $0.controls = ["x": .request(method: "x")] }
        let argument = Value.string(String(repeating: "y", count: 300_000))
        let error = #expect(throws: DeviceError.self) {
            for _ in 0..<10 { try bench.device.perform(control: "x", arguments: argument) }
        }
        #expect(error?.code == .controlFailed)
        #expect(bench.device.nextDeadline != nil)
    }

    @Test("Controls that wait for a full pipe arrive complete once the device reads")
    func late() throws {
        let bench = try TestBench(script: "sleep 0.2; wc -c; echo done") {
            $0.controls = ["x": .request(method: "x")]
        }
        let argument = Value.string(String(repeating: "y", count: 200_000))
        try bench.device.perform(control: "x", arguments: argument)
        #expect(bench.run { $0.device.nextDeadline == nil })
    }
}
