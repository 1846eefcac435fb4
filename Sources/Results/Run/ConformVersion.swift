/// Which `conform` this is.
public enum ConformVersion {
    /// The version, as `conform --version` prints it and as captures and reports carry it.
    public static let current = "0.2.0"
}
