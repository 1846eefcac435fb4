import Foundation
import FoundationXML

/// Whether bytes are well-formed XML.
enum XMLCheck {
    static func parse(_ bytes: [UInt8]) throws -> XMLDocument {
        try XMLDocument(data: Data(bytes))
    }
}
