import SuiteLanguage
import Trace
import Wire

/// How the streams of a recording are cut into messages, as its user says it.
public struct RecordedStream: Sendable {
    /// The value of `stream` of the recorded peers.
    let text: String
    /// Its meaning.
    let cutting: StreamCutting

    /// Reads the value of `stream` of a peer, such as `until: "\\n"`.
    ///
    /// - Throws: `InvalidInput` with what is wrong with it.
    public init(_ text: String, _ protocols: ProtocolRegistry) throws(InvalidInput) {
        self.text = text.hasPrefix("{") ? text : "{\(text)}"
        let (suite, catalogue) = ("--stream", "catalogue")
        let texts = [
            catalogue: """
            conform-requirements: 1
            document: none
            requirements: {R: {text: It sends messages.}}
            """,
            suite: """
            conform: 1
            suite: stream
            requirements: [\(catalogue)]
            device: {role: stream.client}
            roles: {stream.client: {text: none}}
            peers: {server: {is: tcp.server, port: 1, stream: \(self.text)}}
            cases: [{id: one, title: none, checks: [R], steps: [{expect: stream.message}]}]
            """,
        ]
        let loaded = try SuiteLoader(protocols).load(path: suite) { file throws(InvalidInput) in
            texts[file] ?? ""
        }
        guard let cutting = loaded.cases.first?.peers.first?.stream else {
            throw InvalidInput([Diagnostic("bad-value", "this is not how a stream is cut", at: nil)]
            )
        }
        self.cutting = cutting
    }
}
