import SuiteLanguage
import Wire

/// A reader for the value of one setting of a peer.
package struct SettingReader {
    package let name: String
    package let value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    package func integer(in range: ClosedRange<Int64>) throws(PeerError) -> Int64 {
        guard let number = value.integerValue, range.contains(number) else {
            throw wrong("an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    package func boolean() throws(PeerError) -> Bool {
        guard let flag = value.boolValue else { throw wrong("true or false") }
        return flag
    }

    package func object() throws(PeerError) -> Value {
        guard value.objectValue != nil else { throw wrong("an object") }
        return value
    }

    package func members(_ expected: String = "a mapping") throws(PeerError) -> [Value.Member] {
        guard let members = value.objectValue else { throw wrong(expected) }
        return members
    }

    package func elements(_ expected: String = "a list") throws(PeerError) -> [SettingReader] {
        guard let elements = value.arrayValue else { throw wrong(expected) }
        return elements.map { SettingReader(name, $0) }
    }

    package func text() throws(PeerError) -> String {
        guard let text = value.stringValue, !text.isEmpty else { throw wrong("a text") }
        return text
    }

    /// Reads one of the words.
    package func word(_ words: [String]) throws(PeerError) -> String {
        guard let word = value.stringValue else { throw wrong(words.joined(separator: ", ")) }
        guard words.contains(word) else {
            throw PeerError(
                .badSetting, "\"\(word)\" is not a value of \(name)",
                advice: Suggestion.advice(for: word, in: words))
        }
        return word
    }

    /// Reads one of the words of an enumeration.
    package func word<Word: RawRepresentable & CaseIterable>() throws(PeerError) -> Word
    where Word.RawValue == String {
        let word = try word(Word.allCases.map(\.rawValue))
        guard let word = Word(rawValue: word) else { throw wrong("a word") }
        return word
    }

    /// Reads a duration, in nanoseconds.
    package func duration(_ example: String = "such as 300ms") throws(PeerError) -> Int64 {
        guard let length = value.stringValue.flatMap(Duration.init(suiteText:)) else {
            throw wrong(example)
        }
        return Int64(length / .nanoseconds(1))
    }

    package func wrong(_ expected: String) -> PeerError {
        PeerError(
            .badSetting, "the setting \"\(name)\" is of the wrong type or out of range",
            advice: "give \(expected)")
    }
}
