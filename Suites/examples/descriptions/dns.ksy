# DNS, RFC 1035: a message as a datagram carries it, or a stream after two bytes with its length.
meta:
  id: dns
  title: DNS message
  endian: be
  encoding: ASCII
seq:
  - {id: id, type: u2}
  - {id: qr, type: b1, enum: direction}
  - {id: opcode, type: b4, enum: opcode}
  - {id: aa, type: b1}
  - {id: tc, type: b1}
  - {id: rd, type: b1}
  - {id: ra, type: b1}
  - {id: z, type: b1}
  - {id: ad, type: b1, doc: "RFC 4035 3.1.6"}
  - {id: cd, type: b1, doc: "RFC 4035 3.1.6"}
  - {id: rcode, type: b4, enum: rcode}
  - {id: num_questions, type: u2}
  - {id: num_answers, type: u2}
  - {id: num_authorities, type: u2}
  - {id: num_additionals, type: u2}
  - {id: questions, type: question, repeat: expr, repeat-expr: num_questions}
  - {id: answers, type: record, repeat: expr, repeat-expr: num_answers}
  - {id: authorities, type: record, repeat: expr, repeat-expr: num_authorities}
  - {id: additionals, type: record, repeat: expr, repeat-expr: num_additionals}
types:
  name:
    doc: 3.1 and 4.1.4, labels up to an empty one, or up to a place where the rest of the name is.
    seq:
      - id: labels
        type: label(_index)
        repeat: until
        repeat-until: _.length == 0 or _.length >= 0xc0
    instances:
      text: {value: "labels[0].rest"}
  label:
    params:
      - {id: number, type: u1}
    seq:
      - {id: length, type: u1, valid: {expr: _ < 0x40 or _ >= 0xc0}}
      - {id: low, type: u1, if: length >= 0xc0}
      - {id: text, type: str, size: length, if: length < 0xc0}
    instances:
      next: {value: "_parent.as<name>.labels[number + 1]"}
      target: {pos: (length & 0x3f) << 8 | low, io: _root._io, type: name, if: length >= 0xc0}
      rest:
        doc: The name from this label on.
        value: >-
          length == 0 ? "" : length >= 0xc0 ? target.text
          : next.rest == "" ? text : text + "." + next.rest
  question:
    seq:
      - {id: name, type: name}
      - {id: type, type: u2, enum: type}
      - {id: class, type: u2, enum: class}
  record:
    seq:
      - {id: name, type: name}
      - {id: type, type: u2, enum: type}
      - {id: class, type: u2, enum: class}
      - {id: ttl, type: u4}
      - {id: len_data, type: u2}
      - id: data
        size: len_data
        type:
          switch-on: type
          cases:
            type::a: address
            type::ns: name
            type::cname: name
            type::ptr: name
            type::soa: authority
            type::mx: exchange
            _: other
  address:
    seq:
      - {id: octets, type: u1, repeat: expr, repeat-expr: 4}
    instances:
      text:
        value: >-
          octets[0].to_s + "." + octets[1].to_s + "." + octets[2].to_s + "." + octets[3].to_s
  exchange:
    seq:
      - {id: preference, type: u2}
      - {id: exchange, type: name}
  authority:
    seq:
      - {id: server, type: name}
      - {id: mailbox, type: name}
      - {id: serial, type: u4}
      - {id: refresh, type: u4}
      - {id: retry, type: u4}
      - {id: expire, type: u4}
      - {id: minimum, type: u4}
  other:
    seq:
      - {id: bytes, size-eos: true}
enums:
  direction: {0: query, 1: response}
  opcode: {0: query, 1: iquery, 2: status, 4: notify, 5: update}
  rcode: {0: no_error, 1: format_error, 2: server_failure, 3: name_error, 4: not_implemented, 5: refused}
  type: {1: a, 2: ns, 5: cname, 6: soa, 12: ptr, 15: mx, 16: txt, 28: aaaa, 33: srv, 41: opt, 255: any}
  class: {1: in, 3: ch, 4: hs, 255: any}
