extension Value {
    /// Returns this value with the members of `changes` merged into it.
    ///
    /// Objects are merged member by member, null removes a member, anything else replaces.
    public func merging(_ changes: Value) -> Value {
        guard var members = objectValue, let changed = changes.objectValue else { return changes }
        for change in changed {
            let index = members.firstIndex { $0.name == change.name }
            switch (index, change.value) {
            case (let index?, .null): members.remove(at: index)
            case (nil, .null): break
            case (let index?, let value):
                members[index].value = members[index].value.merging(value)
            case (nil, let value): members.append(Member(change.name, value))
            }
        }
        return .object(members)
    }
}
