/// What a mutant does to its own process.
public enum Harm: Sendable, Hashable {
    /// It ends by SIGABRT.
    case crash
    /// It does nothing any more, even when asked to end.
    case hang
    /// It never waits again, although it still does what it is asked.
    case spin
    /// It keeps eight MiB of memory.
    case keepMemory
    /// It keeps two descriptors.
    case keepDescriptors
}
