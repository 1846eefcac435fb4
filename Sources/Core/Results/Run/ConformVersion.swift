/// The version of this `conform`.
public enum ConformVersion {
    /// The version that `conform --version` prints and that captures and reports contain.
    public static let current = "0.2.0"
}
