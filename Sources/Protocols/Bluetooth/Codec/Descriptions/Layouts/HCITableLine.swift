/// A line of a table of commands or events.
///
/// It has the code, the name and the section, then the parameters. The parameters that Command
/// Complete returns after the status follow a slash; without it, Command Status answers a command.
/// A parameter is a name and after a colon its form: `u16`, a number of bytes, `counted`, `rest`.
/// Without a form it is a byte; `connection_handle` and `bd_addr` have forms of their own. In
/// `name[ ... ]` are the parameters of records; in `name[ mask | ... ]`, each bit of a mask has one.
struct HCITableLine {
    /// The code of a command, or the code of an event and of a subevent.
    let codes: [Int]
    let name: String
    /// The section in Core 5.4 Vol 4 Part E.
    let section: String
    private(set) var parameters: [HCIParameter] = []
    private(set) var returns: [HCIParameter]?
    private var words: ArraySlice<Substring>

    static func lines(of table: String) -> [HCITableLine] {
        table.lines.map { HCITableLine($0) }
    }

    private init(_ line: Substring) {
        let words = line.words
        codes = words[0].split(separator: ".").compactMap { Int($0, radix: 16) }
        name = String(words[1])
        section = String(words[2])
        self.words = words.dropFirst(3)
        parameters = readParameters()
        if words.contains("/") { returns = readParameters() }
    }

    /// Reads parameters up to a slash or a closing bracket.
    private mutating func readParameters() -> [HCIParameter] {
        var parameters: [HCIParameter] = []
        while let word = words.popFirst(), word != "/", word != "]" {
            guard word.last == "[" else {
                let parts = word.split(separator: ":")
                let field = HCIField(rawValue: String(parts[0]))
                parameters.append(HCIParameter(field, Self.form(parts.dropFirst().first, field)))
                continue
            }
            let field = HCIField(rawValue: String(word.dropLast()))
            var mask: HCIField?
            if words.dropFirst().first == "|", let word = words.popFirst() {
                mask = HCIField(rawValue: String(word))
                words.removeFirst()
            }
            let record = readParameters()
            parameters.append(
                HCIParameter(
                    field, mask.map { .recordPerBit(of: $0, record) } ?? .records(record)))
        }
        return parameters
    }

    private static func form(_ word: Substring?, _ field: HCIField) -> HCIParameter.Form {
        switch word {
        case nil:
            switch field {
            case .connectionHandle: .handle
            case .bdAddr: .address
            default: .uint8
            }
        case "i8": .int8
        case "u16": .uint16
        case "u24": .uint24
        case "u32": .uint32
        case "u64": .uint64
        case "address": .address
        case "counted": .counted
        case "rest": .rest
        case let number?:
            if let count = Int(number) {
                .bytes(count)
            } else {
                preconditionFailure("\(number) is not a form of an HCI parameter")
            }
        }
    }
}
