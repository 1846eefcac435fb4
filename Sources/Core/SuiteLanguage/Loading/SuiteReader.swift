import Wire

/// Reads a suite file together with its includes.
struct SuiteReader {
    let files: SuiteFileReader
    /// The given values of parameters by name.
    let given: [String: Value]
    let findings: Findings
    var scope: VariableScope
    /// The ways to break requirements, from the catalogues.
    var ways: [String: [RequirementWay]] = [:]
    var shared = SharedParts()
    private var includedFiles: Set<String> = []
    var sources: [SuiteSource] = []

    /// The parts that both the suite and its includes may have, in order of precedence.
    struct SharedParts {
        var peers: [[YAMLNode.Entry]] = []
        var roles: [[YAMLNode.Entry]] = []
        var variables: [(entry: YAMLNode.Entry, isOwn: Bool)] = []
        var parameters: [(entry: YAMLNode.Entry, isOwn: Bool)] = []
        var fragments: [(entry: YAMLNode.Entry, isOwn: Bool)] = []
        var defaults: [YAMLNode] = []
        var ignore: [YAMLNode] = []
        var states: [YAMLNode.Entry] = []
        var rules: [YAMLNode] = []
        var classes: [(entry: YAMLNode.Entry, isOwn: Bool)] = []
    }

    init(
        files: SuiteFileReader, protocols: ProtocolRegistry, parameters: [String: Value] = [:]
    ) {
        self.files = files
        self.given = parameters
        self.findings = files.findings
        self.scope = VariableScope(findings: files.findings, protocols: protocols)
        scope.described = DescribedProtocols(files: files, protocols: protocols)
    }

    /// Reads the suite; `nil`, after reports, if there are errors.
    mutating func suite(path: String) -> Suite? {
        guard let root = files.root(of: path), findings.accepts(root, as: .suite),
            var reader = YAMLMappingReader(root, as: SuiteVocabulary.suite, findings: findings),
            FileVersion.check(&reader, key: "conform")
        else { return nil }
        reader.refuseLaterKeys()
        collectShared(&reader, chain: [SourcePath.simplified(path)], isOwn: true)
        let parameters = readParameters()
        readVariables()
        reader.resolver = scope.resolve
        let roles = shared.roles.flatMap {
            RoleReader(findings: findings, known: scope.protocols.deviceRoles).read($0)
        }
        let errors = findings.errorCount
        var (known, features) = catalogues(&reader)
        let isWhole = findings.errorCount == errors
        for role in roles { features.merge(role.features) { first, _ in first } }
        let requirements = judged(known, isWhole: isWhole, &reader)
        let id = id(in: &reader)
        let role = role(in: &reader, among: roles.map(\.name))
        nameStates()
        let peers = readPeers()
        var surroundings = CaseReader.SuiteContext(
            scope: scope, role: role ?? "", peers: peers, defaults: readDefaults(),
            ignore: [],
            requirements: RequirementNames(
                requirements.map(\.id), isWhole: isWhole, findings: findings),
            features: features.keys.sorted(), fragments: readFragments(), parameters: parameters)
        let states = RuleReader(suite: surroundings).readStates(shared.states)
        let rules = readRules(surroundings, states)
        surroundings.states = states
        var (cases, explorations) = readCases(&reader, surroundings)
        for index in cases.indices { (cases[index].rules, cases[index].states) = (rules, states) }
        for index in explorations.indices {
            (explorations[index].rules, explorations[index].states) = (rules, states)
            explorations[index].checkWatch(of: rules, findings)
        }
        let title = reader.text("title") ?? id ?? ""
        reader.finish()
        guard !findings.hasErrors, let id, let role else { return nil }
        var suite = Suite(
            id: id, title: title, file: path, deviceRole: role, requirements: requirements,
            features: features, cases: cases, warnings: [], protocols: scope.protocols)
        suite.explorations = explorations
        suite.parameters = parameters
        suite.roles = roles
        suite.ways = ways
        suite.rules = rules
        suite.rulesCase = rulesCase(surroundings, rules, states)
        suite.sources =
            sources + (scope.described?.paths ?? []).map { SuiteSource(role: .include, path: $0) }
        warn(suite, states)
        suite.warnings = findings.diagnostics
        return suite
    }

    // MARK: parts that includes may have

    private mutating func collectShared(
        _ reader: inout YAMLMappingReader, chain: [String], isOwn: Bool
    ) {
        for include in reader.texts("include") ?? [] { self.include(include, chain: chain) }
        for file in reader.texts("protocols") ?? [] {
            scope.described?.load(file.text, at: file.position)
        }
        if let peers = reader.mapping("peers") {
            shared.peers.append(peers)
        } else if let elements = reader.node("peers")?.elements {
            scope.unreadPeers.formUnion(elements.flatMap { $0.entries ?? [] }.map(\.key))
        }
        if let roles = reader.mapping("roles") { shared.roles.append(roles) }
        for entry in reader.mapping("variables") ?? [] {
            guard findings.checkName(entry, of: "a variable") else { continue }
            shared.variables.append((entry, isOwn))
        }
        for entry in reader.mapping("parameters") ?? [] {
            shared.parameters.append((entry, isOwn))
        }
        for entry in reader.mapping("fragments") ?? [] { shared.fragments.append((entry, isOwn)) }
        if let defaults = reader.node("defaults") { shared.defaults.append(defaults) }
        shared.ignore += reader.list("ignore") ?? []
        shared.states += reader.mapping("state") ?? []
        shared.rules += reader.list("rules") ?? []
        for entry in reader.mapping("classes") ?? [] { shared.classes.append((entry, isOwn)) }
    }

    private mutating func include(
        _ include: (text: String, position: SourcePosition), chain: [String]
    ) {
        guard
            let (path, root) = files.root(
                of: include.text, namedAt: include.position, isSearched: true)
        else { return }
        if chain.contains(path) {
            findings.report(
                "include-cycle", "\"\(path)\" includes itself", at: include.position,
                advice: "it does so through \(chain.joined(separator: ", "))")
            return
        }
        guard includedFiles.insert(path).inserted else { return }
        sources.append(SuiteSource(role: .include, path: path))
        guard findings.accepts(root, as: .included),
            var reader = YAMLMappingReader(root, as: SuiteVocabulary.included, findings: findings)
        else { return }
        if reader.has("conform"), !FileVersion.check(&reader, key: "conform") { return }
        reader.refuseLaterKeys()
        reader.refuse(
            SuiteVocabulary.ownKeys, code: "misplaced-key",
            because: "belongs in a suite, not in an included file")
        collectShared(&reader, chain: chain + [path], isOwn: false)
        reader.finish()
    }

    private mutating func readVariables() {
        for (entry, _) in shared.variables {
            if let value = scope.value(entry.value) { scope.values[entry.key] = value }
            if !scope.uses.missing.isEmpty {
                scope.values[entry.key] = nil
                scope.missing[entry.key] = scope.uses.missing
                scope.uses.missing = []
            }
        }
        // A variable whose value could not be read must not be reported again where it is used.
        for (entry, _) in shared.variables where !scope.isTaken(entry.key) {
            scope.values[entry.key] = .null
        }
    }

    /// Reads the parameters, so that variables may use them.
    private mutating func readParameters() -> [DeviceParameter] {
        var entries: [YAMLNode.Entry] = []
        for (entry, _) in shared.parameters {
            entries.removeAll { $0.key == entry.key }
            entries.append(entry)
        }
        let reader = DeclarationReader(
            findings: findings, description: SuiteVocabulary.parameter)
        let parameters = Self.parameters(
            reader.read(entries), given: given, protocols: scope.protocols, findings: findings)
        for parameter in parameters {
            scope.values[parameter.name] = parameter.value
            if parameter.value == nil { scope.missing[parameter.name] = [parameter.name] }
        }
        for (entry, _) in shared.variables where scope.isTaken(entry.key) {
            findings.report(
                "duplicate-variable", "there is a parameter \"\(entry.key)\"",
                at: entry.keyPosition, advice: "choose another name")
        }
        return parameters
    }

    private func readFragments() -> [String: Fragment] {
        let reader = FragmentReader(findings: findings)
        return shared.fragments.reduce(into: [:]) { fragments, item in
            if let fragment = reader.read(item.entry) { fragments[fragment.name] = fragment }
        }
    }

    /// Makes the names of states known, before their values are read.
    private mutating func nameStates() {
        for entry in shared.states {
            if findings.checkName(entry, of: "a state"), scope.isTaken(entry.key) {
                findings.report(
                    "duplicate-variable", "there is a variable or state \"\(entry.key)\" already",
                    at: entry.keyPosition, advice: "choose another name")
            } else {
                scope.bound.insert(entry.key)
            }
        }
    }

    private func readRules(
        _ surroundings: CaseReader.SuiteContext, _ states: [StateVariable]
    ) -> [Rule] {
        checkIDs(shared.rules, of: "rule")
        let reader = RuleReader(suite: surroundings, states: states)
        return shared.rules.compactMap(reader.read)
    }

    /// Returns the case that stands for all rules.
    private func rulesCase(
        _ surroundings: CaseReader.SuiteContext, _ rules: [Rule], _ states: [StateVariable]
    ) -> TestCase? {
        guard let first = rules.first else { return nil }
        var result = TestCase(
            id: TestCase.rulesID, title: "The rules of the suite hold", position: first.position,
            checks: rules.flatMap(\.checks).reduce(into: []) { all, check in
                if !all.contains(check) { all.append(check) }
            }, peers: surroundings.peers, steps: [], unexpected: .allow,
            known: first.testCase.known)
        result.isQuietToTheEnd = true
        result.timeout = first.testCase.timeout
        result.kind = .rules
        (result.rules, result.states) = (rules, states)
        return result
    }

    private mutating func readPeers() -> [PeerDeclaration] {
        let reader = PeerReader(scope: scope)
        let peers = shared.peers.reduce([]) { reader.read($1, over: $0) }
        scope.unreadPeers.formUnion(
            Set(shared.peers.joined().map(\.key)).subtracting(peers.map(\.name)))
        return peers
    }

    private func readDefaults() -> SuiteDefaults {
        var defaults = SuiteDefaults()
        for node in shared.defaults { defaults.read(node, scope: scope) }
        return defaults
    }

    // MARK: parts that only the suite has

    private func id(in reader: inout YAMLMappingReader) -> String? {
        reader.require("suite")
        guard let id = reader.text("suite"), let node = reader.node("suite") else { return nil }
        if PlainName.isValid(id) { return id }
        findings.report(
            "bad-name", "\"\(id)\" cannot be the name of a suite", at: node.position,
            advice: PlainName.advice)
        return nil
    }

    private func role(in reader: inout YAMLMappingReader, among declared: [String]) -> String? {
        reader.require("device", advice: "state which kind of device it is for: {role: sdl.app}")
        guard var device = reader.reader("device", as: SuiteVocabulary.device) else {
            return nil
        }
        device.require("role")
        let role = device.text("role")
        let position = device.node("role")?.position
        device.finish()
        if let role {
            DeviceRole.check(
                role, known: scope.protocols.deviceRoles, declared: declared, at: position,
                findings: findings)
        }
        return role
    }

    private func readCases(
        _ reader: inout YAMLMappingReader, _ surroundings: CaseReader.SuiteContext
    ) -> (cases: [TestCase], explorations: [Exploration]) {
        var surroundings = surroundings
        let patterns = PatternReader(
            scope: scope, peers: surroundings.peers.map(\.name),
            described: surroundings.peers.compactMap(\.described))
        surroundings.ignore = shared.ignore.compactMap {
            patterns.rule($0, as: SuiteVocabulary.ignoreRule)?.pattern
        }
        surroundings.missing = scope.uses.missing
        surroundings.isSound = !findings.hasErrors
        scope.uses.missing = []
        if !reader.has("explore") { reader.require("cases") }
        let nodes = reader.list("cases")
        if nodes?.isEmpty == true {
            findings.report(
                "empty-cases", "this suite has no cases", at: reader.entry("cases")?.keyPosition,
                advice: "a suite without cases judges nothing")
        }
        let drawn = reader.list("explore") ?? []
        checkIDs((nodes ?? []) + drawn, of: "case")
        let caseReader = CaseReader(suite: surroundings)
        let cases = (nodes ?? []).flatMap(caseReader.cases)
        return (cases, readExplorations(drawn, surroundings))
    }

    private func readExplorations(
        _ nodes: [YAMLNode], _ surroundings: CaseReader.SuiteContext
    ) -> [Exploration] {
        let classes = ClassReader(
            findings: findings,
            classes: ClassReader.classes(shared.classes.map(\.entry), findings: findings),
            known: KnownMessages(
                surroundings.scope.protocols, surroundings.scope.described?.own ?? []),
            peers: surroundings.peers)
        let reader = ExplorationReader(suite: surroundings, classes: classes)
        let explorations = nodes.compactMap(reader.read)
        for (entry, isOwn) in shared.classes where isOwn && !classes.used.names.contains(entry.key)
        {
            findings.warn(
                "unused-class", "nothing draws from the class \"\(entry.key)\"",
                at: entry.keyPosition, advice: "take it out")
        }
        return explorations
    }

    private func checkIDs(_ nodes: [YAMLNode], of kind: String) {
        var places: [String: SourcePosition] = [:]
        for node in nodes {
            guard let idNode = node["id"], let id = idNode.string else { continue }
            guard let first = places[id] else {
                places[id] = idNode.position
                continue
            }
            findings.report(
                "duplicate-id", "another \(kind) has the id \"\(id)\"", at: idNode.position,
                advice: "it is at \(first)")
        }
    }
}
