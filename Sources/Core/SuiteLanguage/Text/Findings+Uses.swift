extension Findings {
    /// Reports findings as findings about a step of fragments with these uses.
    func using(_ uses: [FragmentUse], _ report: (Findings) -> Void) {
        let outer = self.uses
        self.uses = uses.map(\.position)
        report(self)
        self.uses = outer
    }
}
