import Glibc

/// How a wait follows from its number, from the wait before it and from the first wait.
///
/// No operation makes a wait shorter if the first one is longer. So the waits of a client that has
/// drawn its first wait from a range lie between those for the ends of the range.
public indirect enum WaitExpression: Sendable, Hashable {
    case number(Double)
    case wait(Duration)
    /// The number of the wait; the first has the number 1.
    case counter
    /// The wait before, without cap and jitter.
    case previous
    /// The first wait.
    case base
    /// The sum of two waits, or of two numbers.
    case sum(WaitExpression, WaitExpression)
    /// The product of two numbers, or of a wait and a number.
    case product(WaitExpression, WaitExpression)
    /// A wait or a number, divided by a number.
    case quotient(WaitExpression, WaitExpression)
    /// A number to the power of a number.
    case power(WaitExpression, WaitExpression)

    /// Whether the value is a wait; otherwise it is a number.
    private var isWait: Bool {
        switch self {
        case .number, .counter, .power: false
        case .wait, .previous, .base: true
        case .sum(let left, _), .quotient(let left, _): left.isWait
        case .product(let left, let right): left.isWait || right.isWait
        }
    }

    /// Whether an operand is in the expression.
    private func uses(_ operand: WaitExpression) -> Bool {
        switch self {
        case .number, .wait, .counter, .previous, .base: self == operand
        case .sum(let left, let right), .product(let left, let right),
            .quotient(let left, let right), .power(let left, let right):
            left.uses(operand) || right.uses(operand)
        }
    }

    // MARK: values

    /// The limit for the growth of waits; a suite cannot state a longer wait.
    private static let longest = Duration.seconds(Duration.longestSeconds)

    /// Returns the product of a wait and a number, at most the longest wait.
    static func product(_ wait: Duration, _ factor: Double) -> Duration {
        guard wait > .zero else { return .zero }
        return wait / .seconds(1) * factor < longest / .seconds(1) ? wait * factor : longest
    }

    /// Returns the wait of that number in a series that begins with `base`.
    func wait(_ number: Int, base: Duration) -> Duration {
        guard number > 1 else { return base }
        // Without a loop where possible, because long schedules ask for each of their waits.
        if case .sum(.previous, .wait(let step)) = self {
            return min(base + step * (number - 1), Self.longest)
        }
        guard uses(.previous) else {
            return self.wait(Double(number), after: base, base: base)
        }
        let isSteady = !uses(.counter)
        var wait = base
        for place in 2...number {
            let next = self.wait(Double(place), after: wait, base: base)
            if isSteady, next == wait { break }
            wait = next
        }
        return wait
    }

    private func wait(_ number: Double, after previous: Duration, base: Duration) -> Duration {
        switch self {
        case .wait(let wait): return wait
        case .previous: return previous
        case .base: return base
        case .sum(let left, let right):
            return min(
                left.wait(number, after: previous, base: base)
                    + right.wait(number, after: previous, base: base), Self.longest)
        case .product(let left, let right):
            let (wait, factor) = left.isWait ? (left, right) : (right, left)
            return Self.product(
                wait.wait(number, after: previous, base: base), factor.value(number))
        case .quotient(let left, let right):
            return Self.product(
                left.wait(number, after: previous, base: base), 1 / right.value(number))
        case .number, .counter, .power: return .zero
        }
    }

    private func value(_ number: Double) -> Double {
        switch self {
        case .number(let value): value
        case .counter: number
        case .sum(let left, let right): left.value(number) + right.value(number)
        case .product(let left, let right): left.value(number) * right.value(number)
        case .quotient(let left, let right): left.value(number) / right.value(number)
        case .power(let left, let right): pow(left.value(number), right.value(number))
        case .wait, .previous, .base: 0
        }
    }

    // MARK: text

    /// The text in a suite, as in `base * n^2`.
    public var suiteText: String { text(inside: 0) }

    /// Returns the text, in brackets if it binds less strongly than the operation around it.
    private func text(inside strength: Int) -> String {
        func operation(
            _ own: Int, _ left: WaitExpression, _ sign: String, _ right: WaitExpression
        ) -> String {
            let text = left.text(inside: own) + sign + right.text(inside: own + 1)
            return own < strength ? "(\(text))" : text
        }
        switch self {
        case .number(let number): return Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .wait(let wait): return wait.suiteText
        case .counter: return "n"
        case .previous: return "previous"
        case .base: return "base"
        case .sum(let left, let right): return operation(0, left, " + ", right)
        case .product(let left, let right): return operation(1, left, " * ", right)
        case .quotient(let left, let right): return operation(1, left, " / ", right)
        case .power(let left, let right): return operation(2, left, "^", right)
        }
    }
}

// MARK: - Reading

extension WaitExpression {
    /// Why a text is not an expression of this kind.
    struct SyntaxError: Error {
        let what: String
    }

    /// The maximum length of an expression, so that its evaluation needs little stack.
    private static let lengthMax = 200
    /// The numbers that an expression may contain, apart from 0.
    private static let numbers = 0.001...1_000_000

    /// Reads `previous * 2`, `base * n^2`, `2s + previous / (n + 1)` and the like.
    init(suiteText text: String) throws(SyntaxError) {
        guard text.utf8.count <= Self.lengthMax else {
            throw SyntaxError(what: "it is longer than \(Self.lengthMax) bytes")
        }
        var rest = text[...]
        self = try Self.sum(&rest)
        guard let next = rest.first else {
            guard isWait else { throw SyntaxError(what: "its value is a number, not a wait") }
            return
        }
        throw SyntaxError(what: "\"\(next)\" is unexpected")
    }

    private static func sum(_ rest: inout Substring) throws(SyntaxError) -> WaitExpression {
        var left = try product(&rest)
        while take("+", &rest) {
            let right = try product(&rest)
            guard left.isWait == right.isWait else {
                throw SyntaxError(what: "a wait and a number cannot be added")
            }
            left = .sum(left, right)
        }
        return left
    }

    private static func product(_ rest: inout Substring) throws(SyntaxError) -> WaitExpression {
        var left = try power(&rest)
        while let sign = ["*", "/"].first(where: { take($0, &rest) }) {
            let right = try power(&rest)
            if sign == "*" {
                guard !left.isWait || !right.isWait else {
                    throw SyntaxError(what: "two waits cannot be multiplied")
                }
                left = .product(left, right)
            } else {
                guard !right.isWait else { throw SyntaxError(what: "a wait cannot divide") }
                left = .quotient(left, right)
            }
        }
        return left
    }

    private static func power(_ rest: inout Substring) throws(SyntaxError) -> WaitExpression {
        var left = try operand(&rest)
        while take("^", &rest) {
            let right = try operand(&rest)
            guard !left.isWait, !right.isWait else {
                throw SyntaxError(what: "\"^\" needs two numbers")
            }
            left = .power(left, right)
        }
        return left
    }

    private static func operand(_ rest: inout Substring) throws(SyntaxError) -> WaitExpression {
        if take("(", &rest) {
            let inner = try sum(&rest)
            guard take(")", &rest) else { throw SyntaxError(what: "a \")\" is missing") }
            return inner
        }
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." }
        rest.removeFirst(word.count)
        skipBlanks(&rest)
        switch word {
        case "n": return .counter
        case "previous": return .previous
        case "base": return .base
        case "": throw SyntaxError(what: "a wait or a number is missing")
        default:
            if let wait = Duration(suiteText: String(word)) { return .wait(wait) }
            guard word.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
                let number = Double(word), number == 0 || numbers.contains(number)
            else {
                throw SyntaxError(
                    what: "\"\(word)\" is not n, previous, base, a duration or a number")
            }
            return .number(number)
        }
    }

    /// Removes a sign and the blanks around it, and returns whether it was next.
    private static func take(_ sign: Character, _ rest: inout Substring) -> Bool {
        skipBlanks(&rest)
        guard rest.first == sign else { return false }
        rest.removeFirst()
        skipBlanks(&rest)
        return true
    }

    private static func skipBlanks(_ rest: inout Substring) { rest = rest.drop { $0 == " " } }
}
