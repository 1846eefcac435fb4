meta: {id: words, endian: be, encoding: UTF-8}
seq:
  - {id: kind, type: u1, enum: kind, valid: {in-enum: true}}
  - {id: len_body, type: u2}
  - {id: body, size: len_body, type: body}
types:
  body:
    seq:
      - {id: flags, type: b4}
      - {id: num_words, type: b4}
      - {id: words, type: word, repeat: expr, repeat-expr: num_words}
  word:
    seq:
      - {id: len, type: u1}
      - {id: text, type: str, size: len}
enums:
  kind: {1: ask, 2: tell}
