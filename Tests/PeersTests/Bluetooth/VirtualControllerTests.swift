import Testing

@testable import BluetoothPeers

@Suite struct VirtualControllerTests {
    /// Returns the opcode, the status and the return parameters of a Command Complete.
    private func completion(_ packets: [[UInt8]]) -> (UInt16, UInt8, [UInt8])? {
        guard let packet = packets.first, packet.count >= 7, packet[1] == 0x0E else { return nil }
        return (UInt16(packet[4]) | UInt16(packet[5]) << 8, packet[6], Array(packet.dropFirst(7)))
    }

    @Test(arguments: [false, true]) func everyCommandIsAnswered(isDual: Bool) {
        var settings = ControllerSettings()
        settings.isDual = isDual
        for opcode in UInt16.min...UInt16.max where opcode % 7 == 0 || opcode >> 10 == 8 {
            var host = TestHost(settings)
            let answers = host.command(opcode, [UInt8](repeating: 0, count: 32))
            let codes = answers.map { $0[1] }
            #expect(codes.contains(0x0E) || codes.contains(0x0F), "\(opcode)")
        }
    }

    @Test func anUnknownCommandIsAnsweredSo() throws {
        var host = TestHost()
        let answer = try #require(completion(host.command(0xFC01)))
        #expect(answer.0 == 0xFC01)
        #expect(answer.1 == 0x01)
    }

    @Test(arguments: ControllerSettings.Generation.allCases, [false, true])
    func whatIsClaimedIsImplementedAndNothingElse(
        generation: ControllerSettings.Generation, isDual: Bool
    ) throws {
        var settings = ControllerSettings()
        settings.generation = generation
        settings.isDual = isDual
        var host = TestHost(settings)
        let claims = try #require(completion(host.command(0x1002))).2
        #expect(claims.count == 64)
        for (octet, bits) in SupportedCommands.places {
            for (bit, opcode) in bits {
                let isClaimed = claims[octet] >> bit & 1 == 1
                let answers = host.command(opcode.rawValue, [UInt8](repeating: 0, count: 255))
                let isUnknown = completion(answers).map { $0.1 == 0x01 } ?? false
                #expect(isClaimed != isUnknown, "\(opcode)")
                host.command(0x0C03)
            }
        }
        let known = SupportedCommands.places.values.flatMap(\.values)
            .count { SupportedCommands.contains($0, with: settings) }
        #expect(claims.reduce(0) { $0 + $1.nonzeroBitCount } == known)
    }

    @Test func commandWithTooFewParametersIsInvalid() throws {
        var host = TestHost()
        #expect(try #require(completion(host.command(0x2005, [1, 2]))) == (0x2005, 0x12, []))
        #expect(host.command(0x200D, [0x60]) == [[4, 0x0F, 4, 0x12, 1, 0x0D, 0x20]])
    }

    /// The commands of Bumble and NimBLE for a minimal controller, as captured.
    @Test(
        arguments: [
            [0x0C03, 0x1002, 0x1001, 0x2003, 0x1003, 0x0C01, 0x2001, 0x2002, 0x1009, 0x2005],
            [0x0C03, 0x1001, 0x1002, 0x1003, 0x0C01, 0x2001, 0x2002, 0x2003, 0x1009],
        ] as [[UInt16]])
    func realHostsComeThroughTheirInitialisation(commands: [UInt16]) throws {
        var host = TestHost()
        for opcode in commands {
            let answer = try #require(
                completion(host.command(opcode, [UInt8](repeating: 0, count: 8))))
            #expect(answer.0 == opcode)
            #expect(answer.1 == 0)
        }
    }

    /// The commands that Linux and Android send to a dual-mode controller at start-up.
    ///
    /// A refusal aborts the start-up.
    @Test(arguments: ControllerSettings.Generation.allCases)
    func dualControllerIsCompleteEnoughToStart(generation: ControllerSettings.Generation) throws {
        var settings = ControllerSettings()
        settings.isDual = true
        settings.generation = generation
        var host = TestHost(settings)
        let commands: [UInt16] = [
            0x0C03, 0x1001, 0x1002, 0x1003, 0x1004, 0x1005, 0x1009, 0x0C01, 0x0C63, 0x2001, 0x2002,
            0x2003, 0x200F, 0x201C, 0x0C6D, 0x0C56, 0x0C14, 0x0C23, 0x0C25, 0x0C38, 0x0C39, 0x0C16,
            0x0C13, 0x0C1A, 0x0C24, 0x0C45, 0x0C52, 0x2010, 0x2011, 0x2012, 0x2005, 0x2018,
        ]
        for opcode in commands {
            let answer = try #require(
                completion(host.command(opcode, [UInt8](repeating: 0, count: 255))))
            #expect(answer.0 == opcode)
            #expect(answer.1 == 0, "\(opcode)")
        }
        // The features include LE support and simple pairing, and the host may enable both.
        let features = try #require(completion(host.command(0x1004, [0]))).2
        #expect(features[2 + 4] & 0x60 == 0x40)
        #expect(features[2 + 6] & 0x08 == 0x08)
        #expect(try #require(completion(host.command(0xFD53))).1 == 0x01)
    }

    @Test func minimalControllerSaysWhatItIs() throws {
        var host = TestHost()
        #expect(try #require(completion(host.command(0x1003))).2 == [0, 0, 0, 0, 0x60, 0, 0, 0x80])
        #expect(try #require(completion(host.command(0x2002))).2 == [27, 0, 8])
        #expect(try #require(completion(host.command(0x2003))).2 == [1, 0, 0, 0, 0, 0, 0, 0])
        #expect(completion(host.command(0x2041))?.1 == 0x01)
    }

    @Test func bytesMayComeOneByOne() {
        var whole = TestHost()
        var single = TestHost()
        let bytes: [UInt8] = [1, 3, 0x0C, 0, 1, 9, 0x10, 0, 1, 1, 0xFC, 2, 9, 9]
        let expected = whole.send(bytes)
        #expect(expected.count == 3)
        #expect(bytes.flatMap { single.send([$0]) } == expected)
    }

    @Test func extendedAndLegacyCommandsExcludeOneAnotherUntilReset() {
        var settings = ControllerSettings()
        settings.generation = .five
        var host = TestHost(settings)
        let parameters = [UInt8](repeating: 0, count: 8)
        #expect(completion(host.command(0x2041, parameters))?.1 == 0)
        #expect(completion(host.command(0x200B, parameters))?.1 == 0x0C)
        host.command(0x0C03)
        #expect(completion(host.command(0x200B, parameters))?.1 == 0)
        #expect(completion(host.command(0x2042, [1, 0, 0, 0, 0, 0]))?.1 == 0x0C)
    }

    @Test func muteControllerAnswersLater() {
        var host = TestHost(isMute: true)
        #expect(host.command(0x0C03).isEmpty)
        #expect(host.command(0x1009).isEmpty)
        host.air.mute(false)
        #expect(host.take().map { $0[4] } == [0x03, 0x09])
    }

    @Test func eventsThatAreMaskedOutAreNotSent() {
        var host = TestHost(devices: [Peripheral(Peripheral.band)])
        // LE Meta events are disabled until the host enables them.
        host.command(0x200B, [1, 0x60, 0, 0x60, 0, 0, 0])
        host.command(0x200C, [1, 0])
        #expect(host.wait(milliseconds: 60).isEmpty)
        host.command(0x0C01, [UInt8](repeating: 0xFF, count: 8))
        #expect(!host.wait(milliseconds: 60).isEmpty)
        host.command(0x2001, [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(host.wait(milliseconds: 60).isEmpty)
    }

    @Test func disconnectingIsTheLocalHostsDoing() throws {
        var host = TestHost(devices: [Peripheral(Peripheral.band)])
        let handle = try host.connected()
        let low = handle.littleEndianBytes
        let answers = host.command(0x0406, low + [0x13])
        #expect(answers == [[4, 0x0F, 4, 0, 1, 6, 4], [4, 5, 4, 0] + low + [0x16]])
        #expect(host.command(0x0406, low + [0x13]) == [[4, 0x0F, 4, 2, 1, 6, 4]])
    }

    @Test func creationCanBeCancelled() {
        var host = TestHost()
        host.command(0x0C01, [UInt8](repeating: 0xFF, count: 8))
        #expect(completion(host.command(0x200E))?.1 == 0x0C)
        let none = host.connect()
        #expect(none == nil)
        let answers = host.command(0x200E)
        #expect(completion(answers)?.1 == 0)
        #expect(answers.last?.prefix(5) == [4, 0x3E, 19, 1, 2])
    }

    @Test func handlesAreNotUsedAgainAtOnce() throws {
        var host = TestHost(devices: [Peripheral(Peripheral.band)])
        let first = try host.connected()
        host.command(0x0406, first.littleEndianBytes + [0x13])
        let second = try host.connected()
        #expect(second != first)
    }
}
