import System
import Testing

@Suite("What a CI engine could take for a command")
struct CommandGuardTests {
    @Test("Lines of text and of JSON contain no command, and JSON keeps its meaning")
    func lines() {
        func harmless(_ text: String, isJSON: Bool) -> String {
            String(decoding: CommandGuard.harmless(Array(text.utf8), isJSON: isJSON), as: UTF8.self)
        }
        #expect(harmless("a\n::error::x\n", isJSON: false) == "a\n\\x3A:error::x\n")
        #expect(harmless("x ##vso[y] ##[z]\n", isJSON: false) == "x \\x23#vso[y] \\x23#[z]\n")
        #expect(
            harmless("{\"a\":\"##[z] ##vso[y]\"}\n", isJSON: true)
                == "{\"a\":\"\\u0023#[z] \\u0023#vso[y]\"}\n")
        #expect(harmless("a::b # c: ## d\n", isJSON: false) == "a::b # c: ## d\n")
    }
}
