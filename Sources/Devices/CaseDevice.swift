import Wire

/// A device of a case, launched or attached.
///
/// It is driven by one thread that polls `pollDescriptors` for input, hands each ready one to
/// `handle`, and calls `advance` once `nextDeadline` has passed. Nothing here blocks.
public protocol CaseDevice: AnyObject {
    /// Its process on this machine; `nil` if it runs elsewhere.
    var processIdentifier: Int32? { get }
    /// Whether it runs, as far as that can be known.
    var isAlive: Bool { get }
    /// Whether it is ready, as its profile tells.
    var isReady: Bool { get }
    /// Whether its process is stopped by a signal, so that it does nothing at all.
    var isSuspended: Bool { get }
    /// Whether `stop` has come to its end.
    var isStopped: Bool { get }
    /// The last lines that it has printed, shortened, the oldest first.
    var lastLines: [String] { get }
    /// What a reader of the report should know, a phrase each.
    var remarks: [String] { get }
    /// What to poll for input.
    var pollDescriptors: [Int32] { get }
    /// Time until `advance` has something to do, never negative; `nil` if only a descriptor can.
    var nextDeadline: Duration? { get }

    /// Serves one descriptor that is ready.
    func handle(_ descriptor: Int32) throws(DeviceError) -> [DeviceNotice]
    /// Does what is due by now.
    func advance() throws(DeviceError) -> [DeviceNotice]
    /// Tells that a packet of the device is in the capture.
    func notePacket() -> [DeviceNotice]
    /// Does what a step says; see `DeviceAction`.
    func perform(_ action: String, arguments: Value) throws(DeviceError)
    /// Asks for a sign of life; returns the identifier that the answer carries.
    func ping() throws(DeviceError) -> Int64
    /// Begins to end what the case has to do with it.
    func stop()
}
