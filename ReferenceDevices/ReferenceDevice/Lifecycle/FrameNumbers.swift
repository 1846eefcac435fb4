import SDL

extension [UInt8] {
    /// Numbers consecutive frames with a one-byte counter that continues with 0 after 255.
    ///
    /// This is a mutant's mistake (SDL protocol 3.3.2.1); the last frame stays 0. It supports
    /// version 2 and later.
    mutating func numberFramesFrom0() {
        let headerSize = 12
        let consecutive = SDL.FrameType.consecutive.rawValue
        var (start, number) = (0, UInt8(0))
        while start + headerSize <= count {
            if self[start] & 0x07 == consecutive {
                number &+= 1
                if self[start + 2] != 0 { self[start + 2] = number }
            }
            let size = self[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) }
            start += headerSize + size
        }
    }
}
