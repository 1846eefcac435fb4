import Wire

/// A device of a case, launched or attached.
///
/// One thread polls `pollDescriptors` for input, passes each ready one to `handle`, and calls
/// `advance` once `nextDeadline` has passed. None of these blocks.
public protocol CaseDevice: AnyObject {
    /// Its process on this machine; `nil` if it runs elsewhere.
    var processIdentifier: Int32? { get }
    /// The configuration of its present life.
    var configuration: Value { get }
    /// Whether it runs, as far as that can be known.
    var isAlive: Bool { get }
    /// Whether its process has ended, and other processes that it started still run.
    var hasRemains: Bool { get }
    /// How its process crashed; `nil` if it runs, has ended in another way, or runs elsewhere.
    var crash: DeviceExit? { get }
    /// Whether it is ready, as its profile defines.
    var isReady: Bool { get }
    /// Whether its process is stopped by a signal and does nothing at all.
    var isSuspended: Bool { get }
    /// Whether everything that `stop` began is done.
    var isStopped: Bool { get }
    /// The last lines that it has printed, shortened, the oldest first.
    var lastLines: [String] { get }
    /// What a reader of the report should know, a phrase each.
    var remarks: [String] { get }
    /// The keys that it writes; `nil` unless its profile says that it does.
    var keyLog: DeviceKeyLog? { get }
    /// The descriptors to poll for input.
    var pollDescriptors: [Int32] { get }
    /// Time until `advance` has something to do, never negative; `nil` if only a descriptor can.
    var nextDeadline: Duration? { get }

    /// Handles one descriptor that is ready.
    func handle(_ descriptor: Int32) throws(DeviceError) -> [DeviceNotice]
    /// Does what is due by now.
    func advance() throws(DeviceError) -> [DeviceNotice]
    /// Records that a packet of the device is in the capture.
    func recordPacket() -> [DeviceNotice]
    /// Carries out an action of a step; see `DeviceAction`.
    func perform(_ action: String, arguments: Value) throws(DeviceError)
    /// Sends a liveness probe; returns the identifier that the answer carries.
    func ping() throws(DeviceError) -> Int64
    /// Begins to end what the case does with the device.
    func stop()
}
