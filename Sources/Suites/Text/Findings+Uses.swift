extension Findings {
    /// Reads with every finding told as one about a step of fragments.
    func using(_ uses: [FragmentUse], _ report: (Findings) -> Void) {
        let outer = self.uses
        self.uses = uses.map(\.position)
        report(self)
        self.uses = outer
    }
}
