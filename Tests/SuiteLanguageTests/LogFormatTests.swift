import Testing
import Wire

@testable import SuiteLanguage

struct LogFormatTests {
    private static func format(_ text: String) throws -> LogFormat {
        try LogFormat.parse(text: text, file: "format.yaml")
    }

    private static let plain = """
        conform-log: 1
        time: '^(?<time>\\S+) '
        messages:
          - {message: log.try, matches: 'try (?<number>\\S+)( of (?<all>\\d+))?'}
          - {message: log.any.word, matches: 'word'}
        """

    @Test("Records become messages with the groups of their expressions as fields")
    func records() throws {
        let reading = try Self.format(Self.plain).read(
            """
            1.5 try 1 of 3
            nothing

            2 try 007
            3.25 word and try 2.5
            """)
        #expect(reading.records.map(\.event.name) == ["log.try", "log.try", "log.try"])
        #expect(reading.records.map(\.line) == [1, 4, 5])
        #expect(
            reading.records.map(\.nanoseconds) == [1_500_000_000, 2_000_000_000, 3_250_000_000])
        #expect(reading.records[0].event.fields == ["number": 1, "all": 3])
        #expect(reading.records[1].event.fields == ["number": "007"])
        #expect(reading.records[2].event.fields == ["number": 2.5])
        #expect(reading.recordCount == 4)
    }

    @Test("Records are sorted by time, whatever their order in the log")
    func order() throws {
        let reading = try Self.format(Self.plain).read("3 word\n1 try a\n3 try b\n2 word")
        #expect(reading.records.map(\.line) == [2, 4, 1, 3])
        #expect(reading.backwardLine == 2)
    }

    @Test("Times that run backwards are noticed if threads alone do not explain it")
    func backwards() throws {
        let format = try Self.format(Self.plain)
        #expect(format.read("1 word\n1.04 word\n1.0 try 1").backwardLine == nil)
        #expect(format.read("1 word\n1.04 word\n0.98 try 1\n2 word").backwardLine == 3)
    }

    @Test("A byte order mark does not belong to the first record")
    func byteOrderMark() throws {
        let reading = try Self.format(Self.plain).read("\u{FEFF}1 try 1\n2 word")
        #expect(reading.records.map(\.line) == [1, 2] && reading.timelessLines.isEmpty)
    }

    @Test("Times of day go on after midnight, also where threads write out of order")
    func midnight() throws {
        let reading = try Self.format(Self.plain).read(
            """
            22:00:00 word
            23:59:59.5 try 1
            00:00:00.5 try 2
            23:59:59.9 word
            00:00:01 try 3
            23:00:00 try 4
            00:10:00 word
            """)
        #expect(reading.records.map(\.line) == [1, 2, 4, 3, 5, 6, 7])
        #expect(
            reading.records.map { ($0.nanoseconds - reading.records[0].nanoseconds) / 100_000_000 }
                == [0, 71_995, 71_999, 72_005, 72_010, 900_000, 942_000])
    }

    @Test("A message without a time is counted, its time is not guessed")
    func timeless() throws {
        let reading = try Self.format(Self.plain).read("soon try 1\n1 try 2")
        #expect(reading.records.map(\.line) == [2])
        #expect(reading.timelessLines == [1])
    }

    @Test("A record may be something other than a line")
    func longRecords() throws {
        let format = try Self.format(
            """
            conform-log: 1
            record: '\\{[^}]*\\}'
            time: '"t":\\s*(?<time>[\\d.]+)'
            messages:
              - {message: log.a, matches: '"a"'}
            """)
        let reading = format.read("[{\n\"t\": 1,\n\"a\"}, {\"b\"},\n {\"t\": 2, \"a\"}]")
        #expect(reading.records.map(\.line) == [1, 4])
        #expect(reading.recordCount == 3)
    }

    @Test("An expression that reaches its limits is reported with its line")
    func limits() throws {
        let format = try Self.format(
            """
            conform-log: 1
            time: '^(?<time>\\d+)'
            messages:
              - {message: log.a, matches: '(a+)+$'}
            """)
        let reading = format.read("1 " + String(repeating: "a", count: 40) + "!")
        #expect(reading.exhaustedLines == [1] && reading.records.isEmpty)
        let record = try Self.format(
            """
            conform-log: 1
            record: '(a+)+$|\\d[^\\n]*'
            time: '^(?<time>\\d+)'
            messages:
              - {message: log.b, matches: 'b'}
            """
        ).read("1 b\n2 b\n" + String(repeating: "a", count: 40) + "!\n3 b\n")
        #expect(record.records.map(\.line) == [1, 2])
        #expect(record.exhaustedLines == [2])
        let time = try Self.format(
            """
            conform-log: 1
            time: '^(?<time>\\d+) (a+)+$'
            messages:
              - {message: log.b, matches: 'a'}
            """
        ).read("1 " + String(repeating: "a", count: 40) + "!")
        #expect(time.exhaustedLines == [1] && time.timelessLines.isEmpty)
    }

    @Test(
        "Times are read in the notations of logs",
        arguments: [
            ("0", 0), ("1.5", 1_500_000_000), ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01 00:00:01.000000001+0000", 1_000_000_001),
            ("2020-01-14 10:27:26.827199+0000", 1_578_997_646_827_199_000),
            ("2020-01-14T12:27:26,827199+02:00", 1_578_997_646_827_199_000),
            ("2000-02-29T23:59:59Z", 951_868_799_000_000_000),
            ("1969-12-31 23:59:59 +0000", -1_000_000_000),
            ("10:27:26.5", 37_646_500_000_000), ("23:59:59", 86_399_000_000_000),
        ] as [(String, Int64)])
    func times(text: String, nanoseconds: Int64) {
        #expect(LogTime.parse(text)?.nanoseconds == nanoseconds)
    }

    @Test(
        "What is not a time is not read as one",
        arguments: [
            "", ".", "1.", ".5", "1.2.3", "-1", "2020-13-01T00:00:00Z", "2020-01-01", "24:00:00",
            "10:60:00", "10:27", "10:27:26.", "10:27:26+99:00", "10:27:26 UTC", "99999999999999",
            "10:27:26.1234567890",
        ])
    func noTimes(text: String) {
        #expect(LogTime.parse(text) == nil)
    }

    @Test(
        "Each mistake in a format is reported at its place",
        arguments: [
            "⟦missing-key⟧⟦missing-key⟧conform-log: 1",
            "conform-log: ⟦unsupported-version⟧2",
            "conform-log: 1\ntime: ⟦bad-pattern⟧'(?<tme>x)'\nmessages: []",
            "conform-log: 1\ntime: ⟦bad-pattern⟧'('\nmessages: []",
            """
            conform-log: 1
            time: '(?<time>x)'
            messages:
              - {message: ⟦bad-name⟧tcp.SYN, matches: x}
              - ⟦missing-key⟧{message: log.a}
              - {message: log.a, matches: ⟦bad-pattern⟧'[', ⟦unknown-key⟧feilds: x}
            """,
        ])
    func mistakes(_ marked: String) {
        let marked = MarkedText(marked)
        var found: [Diagnostic] = []
        do throws(InvalidInput) {
            _ = try LogFormat.parse(text: marked.text, file: "format.yaml")
        } catch {
            found = error.diagnostics
        }
        #expect(SuiteFixture.places(found) == marked.expected, "\(found)")
    }

    @Test("Suites may name any message of a log, and all of them in a pattern")
    func vocabulary() throws {
        let suite = try SuiteFixture.onlyCase(
            SuiteFixture.suite(
                case: """
                    steps:
                      - expect: log.anything.at-all
                        where: {field: 1}
                    ignore: [log.*]
                    """))
        #expect(suite.steps.count == 1 && suite.ignore.count == 1)
    }

    @Test(
        "The formats of the repository load",
        .enabled(if: Repository.has("Suites/logs"), "no folder of log formats"),
        arguments: ["diffusion-console", "diffusion-events"])
    func repository(name: String) throws {
        let root = try #require(Repository.root)
        let format = try LogFormat.load(path: "\(root)/Suites/logs/\(name).yaml")
        #expect(format.entries.count == 11)
    }
}
