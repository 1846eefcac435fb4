public import CPrefetch

extension Array {
    /// Has the processor fetch an element that will be needed soon, while it goes on.
    ///
    /// Elements longer than a line of the cache, which has 64 bytes, come as a whole. An index that does
    /// not lie within is passed over.
    @inlinable
    @inline(__always)
    public func prefetch(_ index: Int) {
        guard indices.contains(index) else { return }
        withUnsafeBytes { bytes in
            let stride = MemoryLayout<Element>.stride
            let start = bytes.baseAddress.map { $0 + index * stride }
            var offset = 0
            while offset < stride {
                cprefetch(start.map { $0 + offset })
                offset += 64
            }
            cprefetch(start.map { $0 + (stride - 1) })
        }
    }

    /// Has the processor fetch the beginning of its elements, and what it knows of them.
    @inlinable
    @inline(__always)
    public func prefetchStart() {
        withUnsafeBytes { cprefetch($0.baseAddress) }
    }
}
