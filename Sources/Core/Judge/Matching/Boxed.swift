/// An optional value in memory of its own.
///
/// It is for values that are seldom present: their owner stays small, and copies share the value
/// until one of them changes it.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// The value, or nothing; reading a part of it here copies only that part.
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
