# The frames of SDL as a Kaitai Struct description (SDL protocol, 2.1 and 3), for a comparison with
# the decoder of conform. Messages of several frames are not reassembled.
meta:
  id: sdl_frames
  title: SDL frame
  endian: be
  encoding: UTF-8
seq:
  - {id: version, type: b4, valid: {min: 1, max: 5}}
  - {id: flag, type: b1}
  - {id: frame_type, type: b3}
  - {id: service_type, type: u1}
  - {id: frame_info, type: u1}
  - {id: session_id, type: u1}
  - {id: data_size, type: u4}
  - {id: message_id, type: u4, if: version >= 2}
  - id: payload
    size: data_size
    type:
      switch-on: "frame_type != 0 ? 0 : data_size > 4 ? 1 : data_size == 4 ? 2 : 0"
      cases:
        1: document
        2: hash
types:
  hash:
    doc: Before version 5 the payload of an ACK is only the hash ID of the session.
    seq:
      - {id: hash_id, type: u4}
  document:
    doc: BSON
    seq:
      - {id: size, type: u4le}
      - {id: elements, type: element, repeat: until, repeat-until: _.kind == 0}
  element:
    seq:
      - {id: kind, type: u1}
      - {id: name, type: strz, if: kind != 0}
      - id: content
        if: kind != 0
        type:
          switch-on: kind
          cases:
            1: double
            2: text
            3: document
            4: document
            8: flag
            16: int32
            18: int64
  double: {seq: [{id: value, type: f8le}]}
  text:
    seq:
      - {id: size, type: u4le}
      - {id: value, type: str, size: size - 1}
      - {id: zero, contents: [0]}
  flag: {seq: [{id: value, type: u1}]}
  int32: {seq: [{id: value, type: s4le}]}
  int64: {seq: [{id: value, type: s8le}]}
