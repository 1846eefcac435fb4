/// A value that is seldom there, kept in memory of its own: what holds it stays small, and copies
/// share it until one of them changes it.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// The value in place, or nothing; reading a part of it here copies only that part.
    private(set) var storage: [Value]

    init(wrappedValue: Value?) { storage = wrappedValue.map { [$0] } ?? [] }

    var wrappedValue: Value? {
        get { storage.first }
        _modify {
            var value = storage.popLast()
            defer { if let value { storage.append(value) } }
            yield &value
        }
        set {
            if let newValue { storage = [newValue] } else if !storage.isEmpty { storage = [] }
        }
    }
}
