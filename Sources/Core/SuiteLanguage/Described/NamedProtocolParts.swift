import Kaitai
import TCPIP
import Wire

/// The content of a protocol file, as it is read.
struct NamedProtocolParts {
    /// The content of a protocol file for one message.
    struct Message {
        var text: String?
        var specification: String?
        var answer: String?
    }

    var name: String
    var path: String
    /// The text of the file, so that two processes can check that they have read the same.
    var source = ""
    var title = ""
    var specification = ""
    var naming: MessageNaming?
    var lifted: [String] = []
    var malformed: [NamedProtocol.Rule] = []
    var recognition: KaitaiExpression?
    var tcp: NamedProtocol.Carriage?
    var udp: NamedProtocol.Carriage?
    var messages: [String: Message] = [:]
    var defaults: [NamedProtocol.FieldDefault] = []
    /// The fields that an answer has in common with the message that it answers.
    var correlation: [FieldPath] = []

    /// The names of its messages without the protocol's name; `malformed` is not one of them.
    var names: [String] {
        guard let naming else { return [MessageNaming.plain] }
        return naming.names.map(\.name) + (naming.mayBeOther ? [MessageNaming.other] : [])
    }

    /// Returns the messages and fields for suites.
    func protocolDescription(_ description: KaitaiDescription) -> ProtocolDescription {
        let carrier = udp == nil ? [] : DescribedDatagram.carrierFields
        let decoded = names.map { own in
            let known = messages[own]
            let rules = naming?.fields(of: own, in: description) ?? []
            let choice = rules.first { $0.path.count == 1 }.flatMap { rule in
                if case .enumerator(let number, let id) = rule.value,
                    let member = description.name(of: number, in: id)
                {
                    return (field: rule.path[0], is: member)
                }
                return nil
            }
            return MessageDescription(
                name: "\(name).\(own)", summary: known?.text ?? "A message.",
                specification: known?.specification ?? specification,
                fields: fields(description.shape(where: choice)),
                response: known?.answer.map { "\(name).\($0)" })
        }
        let malformed = MessageDescription(
            name: "\(name).\(MessageNaming.malformed)", summary: "Bytes that are no message.",
            specification: specification,
            fields: [FieldDescription("error", .string(maxLength: nil), isMandatory: true)])
        return ProtocolDescription(
            name: name, title: title.isEmpty ? name : title, messages: decoded + [malformed],
            fields: carrier
                + (hasOwnData(description)
                    ? [] : [FieldDescription("data", .bytes, isMandatory: true)]),
            correlation: correlation)
    }

    private func hasOwnData(_ description: KaitaiDescription) -> Bool {
        description.fieldNames(at: [])?.contains("data") == true
    }

    /// Returns the fields of a message, including those of the lifted attributes.
    private func fields(_ shape: KaitaiShape) -> [FieldDescription] {
        (shape.members ?? []).flatMap { member in
            let inner = lifted.contains(member.name) ? member.shape.members ?? [] : [member]
            return inner.map { field in
                FieldDescription(
                    field.name, FieldType(field.shape),
                    isMandatory: member.isAlwaysThere && field.isAlwaysThere)
            }
        }
    }
}

extension FieldType {
    /// Creates the type that suites use for values of that shape.
    init(_ shape: KaitaiShape) {
        switch shape {
        case .boolean: self = .boolean
        case .integer(let range):
            guard let range else {
                self = .integer(nil)
                return
            }
            // A number beyond 63 bits is text.
            guard let least = Int64(exactly: range.lowerBound),
                let most = Int64(exactly: range.upperBound)
            else {
                self = .any
                return
            }
            self = .integer(least...most)
        case .number: self = .number
        case .text: self = .string(maxLength: nil)
        case .bytes: self = .bytes
        case .enumeration(let name, let members, let numbers):
            self = .enumeration(
                name: name, values: members,
                numbers: Set(numbers.compactMap { Int64(exactly: $0) }))
        case .object(let name, let members):
            self = .structure(
                name: name,
                fields: members.map {
                    FieldDescription($0.name, FieldType($0.shape), isMandatory: $0.isAlwaysThere)
                })
        case .array(let element): self = .array(of: FieldType(element), count: nil)
        case .any: self = .any
        }
    }
}
