# SOME/IP with service discovery (AUTOSAR PRS_SOMEIPProtocol and PRS_SOMEIPServiceDiscoveryProtocol):
# one message, as a datagram or a stream carries it.
meta:
  id: someip
  title: SOME/IP message
  endian: be
  encoding: ASCII
seq:
  - {id: service, type: u2}
  - {id: method, type: u2}
  - {id: length, type: u4, doc: The number of bytes that follow.}
  - {id: client, type: u2}
  - {id: session, type: u2}
  - {id: protocol_version, type: u1, valid: 1}
  - {id: interface_version, type: u1}
  - {id: message_type, type: u1, enum: message_type}
  - {id: return_code, type: u1, enum: return_code}
  - id: payload
    size: length - 8
    type:
      switch-on: "service == 0xffff and method == 0x8100"
      cases:
        true: discovery
types:
  discovery:
    seq:
      - {id: reboot, type: b1}
      - {id: unicast, type: b1}
      - {id: explicit_initial, type: b1}
      - {id: reserved, type: b29}
      - {id: len_entries, type: u4}
      - {id: entries, type: entries, size: len_entries}
      - {id: len_options, type: u4}
      - {id: options, type: options, size: len_options}
  entries:
    seq:
      - {id: list, type: entry, repeat: eos}
  entry:
    seq:
      - {id: type, type: u1, enum: entry_type}
      - {id: first_options, type: u1}
      - {id: second_options, type: u1}
      - {id: num_first, type: b4}
      - {id: num_second, type: b4}
      - {id: service, type: u2}
      - {id: instance, type: u2}
      - {id: major, type: u1}
      - {id: ttl, type: b24}
      - {id: minor, type: u4, if: "type == entry_type::find or type == entry_type::offer"}
      - {id: reserved, type: b12, if: "type == entry_type::subscribe or type == entry_type::subscribe_ack"}
      - {id: counter, type: b4, if: "type == entry_type::subscribe or type == entry_type::subscribe_ack"}
      - {id: eventgroup, type: u2, if: "type == entry_type::subscribe or type == entry_type::subscribe_ack"}
  options:
    seq:
      - {id: list, type: option, repeat: eos}
  option:
    seq:
      - {id: length, type: u2, doc: The number of bytes that follow the type.}
      - {id: type, type: u1, enum: option_type}
      - id: content
        size: length
        type:
          switch-on: type
          cases:
            option_type::ipv4_endpoint: ipv4
            option_type::ipv4_multicast: ipv4
            option_type::ipv4_sd_endpoint: ipv4
  ipv4:
    seq:
      - {id: reserved, type: u1, valid: 0}
      - {id: address, type: u1, repeat: expr, repeat-expr: 4}
      - {id: reserved_again, type: u1, valid: 0}
      - {id: transport, type: u1, enum: transport}
      - {id: port, type: u2}
    instances:
      text:
        value: >-
          address[0].to_s + "." + address[1].to_s + "." + address[2].to_s + "." + address[3].to_s
enums:
  message_type:
    0x00: request
    0x01: request_no_return
    0x02: notification
    0x80: response
    0x81: error
  return_code:
    0x00: ok
    0x01: not_ok
    0x02: unknown_service
    0x03: unknown_method
    0x04: not_ready
    0x05: not_reachable
    0x06: timeout
    0x07: wrong_protocol_version
    0x08: wrong_interface_version
    0x09: malformed_message
    0x0a: wrong_message_type
  entry_type:
    0: find
    1: offer
    6: subscribe
    7: subscribe_ack
  option_type:
    0x01: configuration
    0x04: ipv4_endpoint
    0x14: ipv4_multicast
    0x24: ipv4_sd_endpoint
  transport:
    6: tcp
    17: udp
