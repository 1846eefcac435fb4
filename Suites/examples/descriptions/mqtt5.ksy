# MQTT version 5.0, OASIS standard of 7 March 2019: control packets on one connection.
meta:
  id: mqtt5
  title: MQTT 5.0 control packet
  endian: be
  encoding: UTF-8
seq:
  - {id: type, type: b4, enum: packet_type}
  - {id: dup, type: b1}
  - {id: qos, type: b2}
  - {id: retain, type: b1}
  - {id: length, type: variable_integer, doc: "2.1.4: the bytes of body"}
  - id: body
    size: length.value
    type:
      switch-on: type
      cases:
        packet_type::connect: connect
        packet_type::connack: connack
        packet_type::publish: publish(qos)
        packet_type::puback: acknowledgement(length.value)
        packet_type::pubrec: acknowledgement(length.value)
        packet_type::pubrel: acknowledgement(length.value)
        packet_type::pubcomp: acknowledgement(length.value)
        packet_type::subscribe: subscribe
        packet_type::suback: codes
        packet_type::unsubscribe: unsubscribe
        packet_type::unsuback: codes
        packet_type::disconnect: reason(length.value)
        packet_type::auth: reason(length.value)
        _: nothing
types:
  variable_integer:
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
  properties:
    seq:
      - {id: length, type: variable_integer, doc: "2.2.2.1"}
      - {id: list, size: length.value, type: property_list}
  property_list:
    seq:
      - {id: items, type: property, repeat: eos}
  property:
    seq:
      - {id: id, type: u1, enum: property_id}
      - id: value
        type:
          switch-on: id
          cases:
            property_id::payload_format: one_byte
            property_id::request_problem_information: one_byte
            property_id::request_response_information: one_byte
            property_id::maximum_qos: one_byte
            property_id::retain_available: one_byte
            property_id::wildcard_subscription_available: one_byte
            property_id::subscription_identifiers_available: one_byte
            property_id::shared_subscription_available: one_byte
            property_id::server_keep_alive: two_bytes
            property_id::receive_maximum: two_bytes
            property_id::topic_alias_maximum: two_bytes
            property_id::topic_alias: two_bytes
            property_id::message_expiry: four_bytes
            property_id::session_expiry: four_bytes
            property_id::will_delay: four_bytes
            property_id::maximum_packet_size: four_bytes
            property_id::subscription_identifier: variable_integer
            property_id::correlation_data: payload
            property_id::authentication_data: payload
            property_id::content_type: text
            property_id::response_topic: text
            property_id::assigned_client_id: text
            property_id::authentication_method: text
            property_id::response_information: text
            property_id::server_reference: text
            property_id::reason: text
            property_id::user_property: text_pair
  one_byte:
    seq: [{id: value, type: u1}]
  two_bytes:
    seq: [{id: value, type: u2}]
  four_bytes:
    seq: [{id: value, type: u4}]
  text_pair:
    seq:
      - {id: name, type: text}
      - {id: value, type: text}
  connect:
    seq:
      - {id: protocol, type: text}
      - {id: level, type: u1, valid: 5}
      - {id: has_user_name, type: b1}
      - {id: has_password, type: b1}
      - {id: will_retain, type: b1}
      - {id: will_qos, type: b2}
      - {id: has_will, type: b1}
      - {id: clean_start, type: b1}
      - {id: reserved, type: b1, valid: false}
      - {id: keep_alive, type: u2}
      - {id: properties, type: properties}
      - {id: client_id, type: text}
      - {id: will_properties, type: properties, if: has_will}
      - {id: will_topic, type: text, if: has_will}
      - {id: will_message, type: payload, if: has_will}
      - {id: user_name, type: text, if: has_user_name}
      - {id: password, type: payload, if: has_password}
  connack:
    seq:
      - {id: reserved, type: b7, valid: 0}
      - {id: session_present, type: b1}
      - {id: code, type: u1}
      - {id: properties, type: properties}
  publish:
    params:
      - {id: qos, type: b2}
    seq:
      - {id: topic, type: text}
      - {id: packet_id, type: u2, if: qos > 0}
      - {id: properties, type: properties}
      - {id: message, size-eos: true}
  acknowledgement:
    params:
      - {id: size, type: u4}
    seq:
      - {id: packet_id, type: u2}
      - {id: code, type: u1, if: size > 2, doc: "3.4.2.1: success if it is left out"}
      - {id: properties, type: properties, if: size > 3}
  subscribe:
    seq:
      - {id: packet_id, type: u2}
      - {id: properties, type: properties}
      - {id: filters, type: filter, repeat: eos}
  filter:
    seq:
      - {id: topic, type: text}
      - {id: reserved, type: b2, valid: 0}
      - {id: retain_handling, type: b2}
      - {id: retain_as_published, type: b1}
      - {id: no_local, type: b1}
      - {id: qos, type: b2}
  codes:
    seq:
      - {id: packet_id, type: u2}
      - {id: properties, type: properties}
      - {id: codes, type: u1, repeat: eos}
  unsubscribe:
    seq:
      - {id: packet_id, type: u2}
      - {id: properties, type: properties}
      - {id: topics, type: text, repeat: eos}
  reason:
    params:
      - {id: size, type: u4}
    seq:
      - {id: code, type: u1, if: size > 0, doc: "3.14.2.1: normal if it is left out"}
      - {id: properties, type: properties, if: size > 1}
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
    15: auth
  property_id:
    0x01: payload_format
    0x02: message_expiry
    0x03: content_type
    0x08: response_topic
    0x09: correlation_data
    0x0b: subscription_identifier
    0x11: session_expiry
    0x12: assigned_client_id
    0x13: server_keep_alive
    0x15: authentication_method
    0x16: authentication_data
    0x17: request_problem_information
    0x18: will_delay
    0x19: request_response_information
    0x1a: response_information
    0x1c: server_reference
    0x1f: reason
    0x21: receive_maximum
    0x22: topic_alias_maximum
    0x23: topic_alias
    0x24: maximum_qos
    0x25: retain_available
    0x26: user_property
    0x27: maximum_packet_size
    0x28: wildcard_subscription_available
    0x29: subscription_identifiers_available
    0x2a: shared_subscription_available
