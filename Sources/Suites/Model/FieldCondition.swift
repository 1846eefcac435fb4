import Wire

/// A condition on one field of a message.
public struct FieldCondition: Sendable, Hashable {
    /// The field.
    public var path: FieldPath
    /// What its value must be like.
    public var matcher: ValueMatcher
    /// Where it stands.
    public var position: SourcePosition

    /// Makes a condition.
    public init(path: FieldPath, matcher: ValueMatcher, position: SourcePosition) {
        self.path = path
        self.matcher = matcher
        self.position = position
    }
}

/// What a field's value must be like.
///
/// A field that is absent satisfies only `present(false)`, and `not`, `any`, `all` made of it.
public indirect enum ValueMatcher: Sendable, Hashable {
    /// The same value; numbers compare by value, objects by members regardless of order.
    case equals(ValueExpression)
    /// Anything that the inner matcher refuses.
    case not(ValueMatcher)
    /// One of these.
    case oneOf([ValueExpression])
    /// Text in which the pattern is found.
    case matches(TextPattern)
    /// At least that number.
    case minimum(ValueExpression)
    /// At most that number.
    case maximum(ValueExpression)
    /// Length of a text in characters, of bytes, or of an array satisfies the inner matcher.
    case length(ValueMatcher)
    /// Text or bytes with that part, or an array with an element that satisfies the inner matcher.
    case contains(ValueMatcher)
    /// An object whose members satisfy these conditions.
    case members([FieldCondition])
    /// The field is there, or is not.
    case present(Bool)
    /// A value of that kind: `string`, `integer`, `number`, `boolean`, `bytes`, `array`, `object`,
    /// `null`.
    case type(String)
    /// These bytes; written as text also a text of these characters.
    case bytes(ByteExpression)
    /// Bytes or a text that start with these.
    case starts(ByteExpression)
    /// Bytes or a text that end with these.
    case ends(ByteExpression)
    /// Bytes, or an integer, with these bits.
    case mask(ByteMask)
    /// The part of bytes, of a text or of an array from an element on, counted from 0, with so many
    /// elements or all that follow, satisfies the inner matcher; a part that is not there does not.
    case slice(first: Int, count: Int?, ValueMatcher)
    /// An array with an element that satisfies the inner matcher.
    case some(ValueMatcher)
    /// An array whose elements all satisfy the inner matcher.
    case every(ValueMatcher)
    /// Every one holds.
    case all([ValueMatcher])
    /// At least one holds.
    case any([ValueMatcher])
}

/// A value in a suite that may refer to variables.
public indirect enum ValueExpression: Sendable, Hashable {
    /// A plain value.
    case literal(Value)
    /// Text with `${expression}` in it; alone, an expression keeps its type.
    case template([TemplatePart])
    /// An array of expressions.
    case array([ValueExpression])
    /// An object of expressions.
    case object([Member])
    /// Bytes in a notation of their own.
    case bytes(ByteExpression)

    /// A piece of a template.
    public enum TemplatePart: Sendable, Hashable {
        case text(String)
        case expression(TemplateExpression)

        /// A variable that stands for itself.
        public static func variable(_ name: String) -> TemplatePart {
            .expression(.variable(name))
        }
    }

    /// One name and expression of an object.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The expression under that name.
        public var value: ValueExpression

        /// Makes a member.
        public init(_ name: String, _ value: ValueExpression) {
            self.name = name
            self.value = value
        }
    }
}

/// Features combined with `and`, `or`, `not` and brackets.
public indirect enum FeatureExpression: Sendable, Hashable {
    case feature(String)
    case not(FeatureExpression)
    case and(FeatureExpression, FeatureExpression)
    case or(FeatureExpression, FeatureExpression)

    /// Whether a device with these features satisfies it.
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

    /// Every feature that it names.
    public var names: Set<String> {
        switch self {
        case .feature(let name): [name]
        case .not(let inner): inner.names
        case .and(let left, let right), .or(let left, let right): left.names.union(right.names)
        }
    }
}
