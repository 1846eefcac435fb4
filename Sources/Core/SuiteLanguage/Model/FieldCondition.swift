import Wire

/// A condition on one field of a message.
public struct FieldCondition: Sendable, Hashable {
    /// The field.
    public var path: FieldPath
    /// The condition on its value.
    public var matcher: ValueMatcher
    /// The position of the condition.
    public var position: SourcePosition

    /// Creates a condition.
    public init(path: FieldPath, matcher: ValueMatcher, position: SourcePosition) {
        self.path = path
        self.matcher = matcher
        self.position = position
    }
}

/// A condition on a field's value.
///
/// An absent field satisfies only `present(false)`, and `not`, `any`, `all` made of it.
public indirect enum ValueMatcher: Sendable, Hashable {
    /// The same value; numbers are compared by value, objects by members regardless of order.
    case equals(ValueExpression)
    /// Anything that the inner matcher does not match.
    case not(ValueMatcher)
    /// One of these values.
    case oneOf([ValueExpression])
    /// Text in which the pattern is found.
    case matches(TextPattern)
    /// At least that number.
    case minimum(ValueExpression)
    /// At most that number.
    case maximum(ValueExpression)
    /// A text, bytes or an array whose length satisfies the inner matcher; a text is counted in
    /// characters.
    case length(ValueMatcher)
    /// Text or bytes with that part, or an array with an element that satisfies the inner matcher.
    case contains(ValueMatcher)
    /// An object whose members satisfy these conditions.
    case members([FieldCondition])
    /// The field is present, or is absent.
    case present(Bool)
    /// A value of that type: `string`, `integer`, `number`, `boolean`, `bytes`, `array`, `object`,
    /// `null`.
    case type(String)
    /// These bytes; if they are written as text, also a text of these characters.
    case bytes(ByteExpression)
    /// Bytes or a text that start with these.
    case starts(ByteExpression)
    /// Bytes or a text that end with these.
    case ends(ByteExpression)
    /// Bytes, or an integer, with these bits.
    case mask(ByteMask)
    /// A part of bytes, of a text or of an array that satisfies the inner matcher.
    ///
    /// The part starts at an element, counted from 0, and has the given number of elements or all
    /// that follow. An incomplete part does not match.
    case slice(first: Int, count: Int?, ValueMatcher)
    /// An array with an element that satisfies the inner matcher.
    case some(ValueMatcher)
    /// An array whose elements all satisfy the inner matcher.
    case every(ValueMatcher)
    /// All of these hold.
    case all([ValueMatcher])
    /// At least one of these holds.
    case any([ValueMatcher])
}

/// A value in a suite that may refer to variables.
public indirect enum ValueExpression: Sendable, Hashable {
    /// A plain value.
    case literal(Value)
    /// Text with `${expression}` in it; an expression without other text keeps its type.
    case template([TemplatePart])
    /// An array of expressions.
    case array([ValueExpression])
    /// An object of expressions.
    case object([Member])
    /// Bytes in a notation.
    case bytes(ByteExpression)

    /// A part of a template.
    public enum TemplatePart: Sendable, Hashable {
        case text(String)
        case expression(TemplateExpression)

        /// Creates a part that is a single variable.
        public static func variable(_ name: String) -> TemplatePart {
            .expression(.variable(name))
        }
    }

    /// A member of an object: a name and an expression.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The expression of the member.
        public var value: ValueExpression
    }
}

/// Features combined with `and`, `or`, `not` and brackets.
public indirect enum FeatureExpression: Sendable, Hashable {
    case feature(String)
    case not(FeatureExpression)
    case and(FeatureExpression, FeatureExpression)
    case or(FeatureExpression, FeatureExpression)

    /// Whether a device with these features satisfies the expression.
    public func isSatisfied(by features: Set<String>) -> Bool {
        switch self {
        case .feature(let name): features.contains(name)
        case .not(let inner): !inner.isSatisfied(by: features)
        case .and(let left, let right):
            left.isSatisfied(by: features) && right.isSatisfied(by: features)
        case .or(let left, let right):
            left.isSatisfied(by: features) || right.isSatisfied(by: features)
        }
    }

    /// All features that it names.
    public var names: Set<String> {
        switch self {
        case .feature(let name): [name]
        case .not(let inner): inner.names
        case .and(let left, let right), .or(let left, let right): left.names.union(right.names)
        }
    }
}
