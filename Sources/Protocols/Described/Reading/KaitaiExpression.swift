import YAML

/// An expression from outside a description, evaluated on an object of its top type.
public struct KaitaiExpression: Sendable {
    let expression: Expression
    let type: StaticType

    /// Whether the result is a Boolean, or its type is not known before bytes are read.
    public var isCondition: Bool { type == .bool || type == .any }
}

extension KaitaiDescription {
    /// Parses an expression and resolves its names.
    ///
    /// - Parameters:
    ///   - text: The expression, for the top object.
    ///   - position: The position of the text, for messages.
    ///   - allowsNull: Whether `null` denotes the value of an absent field.
    /// - Throws: The error in the expression.
    public func expression(
        _ text: String, at position: SourcePosition? = nil, allowsNull: Bool = false
    ) throws(InvalidInput) -> KaitaiExpression {
        let syntax: Syntax
        do throws(SyntaxError) {
            syntax = try Parser.expression(text)
        } catch {
            throw InvalidInput([
                Diagnostic(
                    "bad-expression",
                    "\(error.what) (character \(error.offset + 1) of \"\(text)\")",
                    at: position, advice: error.advice)
            ])
        }
        var compiler = ExpressionCompiler(
            names: Names(types: types, files: files), enumerations: enumerations, sources: sources)
        compiler.parents = parents
        compiler.allowsNull = allowsNull
        do throws(ExpressionCompiler.Refusal) {
            let compiled = try compiler.compile(
                syntax, in: ExpressionCompiler.Scope(type: top))
            return KaitaiExpression(expression: compiled.expression, type: compiled.type)
        } catch {
            throw InvalidInput([
                Diagnostic(
                    error.code, "\(error.what) (in \"\(text)\")", at: position,
                    advice: error.advice)
            ])
        }
    }
}

extension KaitaiReading {
    /// Returns the value of an expression for the top object.
    public mutating func evaluate(_ expression: KaitaiExpression) throws(KaitaiError) -> KaitaiValue
    {
        try evaluate(expression.expression, Frame(object: 0))
    }
}
