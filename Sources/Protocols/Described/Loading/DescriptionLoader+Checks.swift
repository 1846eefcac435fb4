import YAML

extension DescriptionLoader {
    /// Resolves all expressions and checks their types against what is expected.
    func description(top: TypeID) -> KaitaiDescription {
        let names = self.names
        var compiler = ExpressionCompiler(
            names: names, enumerations: enumerations, sources: sources)
        compiler.parents = ParentUse.parents(of: names, sources: sources, compiler: compiler)
        var expressions: [Expression] = []
        for id in sources.indices {
            expressions.append(compiled(id, by: &compiler))
        }
        checkEnumerations(&compiler)
        var sizes = TypeSizes(names: names, sources: sources)
        var fieldTypes: [[StaticType]] = []
        for type in types.indices {
            fieldTypes.append(types[type].fields.indices.map { compiler.type(of: $0, in: type) })
        }
        return KaitaiDescription(
            types: types, enumerations: enumerations, expressions: expressions,
            fieldTypes: fieldTypes, sizes: types.indices.map { sizes.bits(of: $0) },
            parents: compiler.parents, sources: sources, files: files, top: top,
            warnings: findings.diagnostics)
    }

    private func compiled(_ id: ExpressionID, by compiler: inout ExpressionCompiler) -> Expression {
        let source = sources[id]
        do throws(ExpressionCompiler.Refusal) {
            let item = source.item.map { compiler.elementType(of: $0, in: source.scope) }
            let compiled = try compiler.compile(
                source.syntax, in: ExpressionCompiler.Scope(type: source.scope, item: item))
            try check(compiled.type, source.expectation, &compiler)
            return compiled.expression
        } catch {
            findings.report(
                error.code, "\(error.what) (in \"\(source.text.prefix(60))\")",
                at: source.position, advice: error.advice)
            return .constant(.none)
        }
    }

    private func check(
        _ type: StaticType, _ expectation: ExpressionSource.Expectation,
        _ compiler: inout ExpressionCompiler
    ) throws(ExpressionCompiler.Refusal) {
        switch expectation {
        case .anything: break
        case .integer: try compiler.require(.integer, type, "it")
        case .bool: try compiler.require(.bool, type, "it")
        case .string: try compiler.require(.string, type, "it")
        case .stream: try compiler.require(.stream, type, "it")
        case .object:
            if !type.isObject { try compiler.require(.anyObject, type, "it") }
        case .key:
            if type != .bytes { try compiler.require(.integer, type, "the key") }
        case .comparable(let owner, let slot, let isOrdered):
            try compiler.requireComparable(
                compiler.elementType(of: slot, in: owner), type, isOrdered: isOrdered)
        case .caseOf(let on):
            let source = sources[on]
            if let subject = try? compiler.compile(
                source.syntax, in: ExpressionCompiler.Scope(type: source.scope))
            {
                try compiler.requireComparable(subject.type, type, isOrdered: false)
            }
        case .argument(let owner, let slot):
            guard slot < types[owner].parameterCount else { return }
            let wanted = compiler.type(of: slot, in: owner)
            if !wanted.takes(type) {
                throw ExpressionCompiler.Refusal(
                    code: "ksy-type",
                    what:
                        "the parameter \"\(types[owner].fields[slot].id)\" is \(compiler.describe(wanted)), the argument is \(compiler.describe(type))"
                )
            }
        }
    }

    /// Reports `enum` on values that are not integers.
    private func checkEnumerations(_ compiler: inout ExpressionCompiler) {
        for type in types.indices {
            for field in types[type].fields where field.enumeration != nil {
                guard case .computed(let id) = field.type else { continue }
                let source = sources[id]
                guard
                    let value = try? compiler.compile(
                        source.syntax, in: ExpressionCompiler.Scope(type: source.scope)),
                    !value.type.isInteger, value.type != .any
                else { continue }
                findings.report(
                    "ksy-type",
                    "\"enum\" is for integers, this is \(compiler.describe(value.type))",
                    at: field.position)
            }
        }
    }
}

/// Determines the types of the parents of objects.
enum ParentUse {
    /// Returns the type of `_parent` for each type; `nil` where it is not exactly one.
    static func parents(
        of names: Names, sources: [ExpressionSource], compiler: ExpressionCompiler
    ) -> [TypeID?] {
        var users: [Set<TypeID>] = Array(repeating: [], count: names.types.count)
        var explicit: [(user: TypeID, types: [TypeID], rule: ExpressionID)] = []
        for user in names.types.indices {
            for field in names.types[user].fields where field.role != .parameter {
                let used = objects(in: field.type).filter {
                    names.types[$0].file == names.types[user].file
                }
                switch field.parent {
                case .creator: for type in used { users[type].insert(user) }
                case .none: break
                case .expression(let rule): explicit.append((user, used, rule))
                }
            }
        }
        var compiler = compiler
        // A parent given by an expression may depend on the parents of other types.
        for _ in 0..<2 {
            compiler.parents = users.map { $0.count == 1 ? $0.first : nil }
            for (user, types, rule) in explicit {
                let compiled = try? compiler.compile(
                    sources[rule].syntax, in: ExpressionCompiler.Scope(type: user))
                guard case .object(let parent)? = compiled?.type else { continue }
                for type in types { users[type].insert(parent) }
            }
        }
        return users.map { $0.count == 1 ? $0.first : nil }
    }

    private static func objects(in type: FieldType) -> [TypeID] {
        switch type {
        case .object(let type, _, _): [type]
        case .choice(_, let cases, let otherwise):
            (cases.map(\.type) + (otherwise.map { [$0] } ?? [])).flatMap(objects)
        default: []
        }
    }
}
