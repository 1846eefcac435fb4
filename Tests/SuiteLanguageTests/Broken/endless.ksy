meta: {id: endless}
seq: [{id: all, type: u1, repeat: eos}]
