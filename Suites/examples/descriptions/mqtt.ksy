# MQTT version 3.1.1, OASIS standard of 29 October 2014: control packets on one connection.
meta:
  id: mqtt
  title: MQTT 3.1.1 control packet
  endian: be
  encoding: UTF-8
seq:
  - {id: type, type: b4, enum: packet_type}
  - {id: dup, type: b1}
  - {id: qos, type: b2}
  - {id: retain, type: b1}
  - {id: length, type: remaining_length, doc: "2.2.3: the bytes of body"}
  - id: body
    size: length.value
    type:
      switch-on: type
      cases:
        packet_type::connect: connect
        packet_type::connack: connack
        packet_type::publish: publish(qos)
        packet_type::puback: acknowledgement
        packet_type::pubrec: acknowledgement
        packet_type::pubrel: acknowledgement
        packet_type::pubcomp: acknowledgement
        packet_type::subscribe: subscribe
        packet_type::suback: suback
        packet_type::unsubscribe: unsubscribe
        packet_type::unsuback: acknowledgement
        _: nothing
types:
  remaining_length:
    -conform-varint: little
    seq:
      - id: groups
        type: group
        repeat: until
        repeat-until: not _.more or _index == 3
    instances:
      value:
        value: >-
          groups[0].bits
          + (groups.size > 1 ? groups[1].bits << 7 : 0)
          + (groups.size > 2 ? groups[2].bits << 14 : 0)
          + (groups.size > 3 ? groups[3].bits << 21 : 0)
    types:
      group:
        seq:
          - {id: more, type: b1}
          - {id: bits, type: b7}
  text:
    seq:
      - {id: length, type: u2}
      - {id: value, type: str, size: length}
  payload:
    seq:
      - {id: length, type: u2}
      - {id: value, size: length}
  connect:
    seq:
      - {id: protocol, type: text}
      - {id: level, type: u1, valid: 4, doc: "3.1.2.2; mqtt5.ksy describes level 5"}
      - {id: has_user_name, type: b1}
      - {id: has_password, type: b1}
      - {id: will_retain, type: b1}
      - {id: will_qos, type: b2}
      - {id: has_will, type: b1}
      - {id: clean_session, type: b1}
      - {id: reserved, type: b1, valid: false}
      - {id: keep_alive, type: u2}
      - {id: client_id, type: text}
      - {id: will_topic, type: text, if: has_will}
      - {id: will_message, type: payload, if: has_will}
      - {id: user_name, type: text, if: has_user_name}
      - {id: password, type: payload, if: has_password}
  connack:
    seq:
      - {id: reserved, type: b7, valid: 0}
      - {id: session_present, type: b1}
      - {id: code, type: u1, enum: connect_code}
  publish:
    params:
      - {id: qos, type: b2}
    seq:
      - {id: topic, type: text}
      - {id: packet_id, type: u2, if: qos > 0}
      - {id: message, size-eos: true}
  acknowledgement:
    seq:
      - {id: packet_id, type: u2}
  subscribe:
    seq:
      - {id: packet_id, type: u2}
      - {id: filters, type: filter, repeat: eos}
  filter:
    seq:
      - {id: topic, type: text}
      - {id: reserved, type: b6, valid: 0}
      - {id: qos, type: b2}
  suback:
    seq:
      - {id: packet_id, type: u2}
      - {id: codes, type: u1, repeat: eos}
  unsubscribe:
    seq:
      - {id: packet_id, type: u2}
      - {id: topics, type: text, repeat: eos}
  nothing: {}
enums:
  packet_type:
    1: connect
    2: connack
    3: publish
    4: puback
    5: pubrec
    6: pubrel
    7: pubcomp
    8: subscribe
    9: suback
    10: unsubscribe
    11: unsuback
    12: pingreq
    13: pingresp
    14: disconnect
  connect_code:
    0: accepted
    1: unacceptable_version
    2: identifier_rejected
    3: server_unavailable
    4: bad_user_name_or_password
    5: not_authorized
