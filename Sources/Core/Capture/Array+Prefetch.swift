public import CPrefetch

extension Array {
    /// Prefetches an element that will be needed soon, without waiting for it.
    ///
    /// Elements longer than a cache line, which has 64 bytes, are fetched completely. An index out
    /// of range is ignored.
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

    /// Prefetches the header and the first elements of the array.
    @inlinable
    @inline(__always)
    public func prefetchStart() {
        withUnsafeBytes { cprefetch($0.baseAddress) }
    }
}
