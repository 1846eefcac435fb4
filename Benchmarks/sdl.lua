-- An SDL dissector such as a user would write, for Benchmarks/run only. It prints what
-- `conform decode --fields` prints, without messages of several frames.
local sdl = Proto("sdl", "SmartDeviceLink")
local f = {
  version = ProtoField.uint8("sdl.version", "version"),
  kind = ProtoField.uint8("sdl.frame_type", "frame type"),
  service = ProtoField.uint8("sdl.service_type", "service"),
  session = ProtoField.uint8("sdl.session_id", "session"),
  size = ProtoField.uint32("sdl.data_size", "data size"),
  call = ProtoField.uint32("rpc.function_id", "function"),
  type = ProtoField.uint8("rpc.type", "type"),
  correlation = ProtoField.int32("rpc.correlation_id", "correlation"),
}
sdl.fields = f
local json = Dissector.get("json")

local function frame(tvb, pinfo, tree)
  local size = tvb(4, 4):uint()
  local node = tree:add(sdl, tvb())
  node:add(f.version, tvb(0, 1):bitfield(0, 4))
  node:add(f.kind, tvb(0, 1):bitfield(5, 3))
  node:add(f.service, tvb(1, 1))
  node:add(f.session, tvb(3, 1))
  node:add(f.size, tvb(4, 4))
  if tvb(0, 1):bitfield(5, 3) == 1 and size >= 12 and tvb(1, 1):uint() == 7 then
    node:add(f.type, tvb(12, 1):bitfield(0, 4))
    node:add(f.call, tvb(12, 4):uint() % 0x10000000)
    node:add(f.correlation, tvb(16, 4))
    local length = tvb(20, 4):uint()
    if length > 0 and 24 + length <= tvb:len() then
      json:call(tvb(24, length):tvb(), pinfo, node)
    end
  end
  return tvb:len()
end

local function length(tvb, pinfo, offset) return 12 + tvb(offset + 4, 4):uint() end

function sdl.dissector(tvb, pinfo, tree)
  dissect_tcp_pdus(tvb, tree, 12, length, frame)
  return tvb:len()
end

DissectorTable.get("tcp.port"):add(12345, sdl)
