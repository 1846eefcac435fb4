/// Words of shell commands.
public enum ShellWord {
    /// Returns the word itself if a shell would not change it, else the word in single quotes.
    public static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || "-_./=:,+@".utf8.contains(byte)
        }
        guard !isPlain || word.isEmpty else { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}
