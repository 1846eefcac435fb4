"""A stand-in for sdl_core as an HMI sees it: a WebSocket broker for the reference head unit.

The head unit listens after the HMI has registered and answered. The HMI's messages are forwarded to
it. The argument is the program of the reference device.
"""
import base64, hashlib, json, os, re, signal, socket, struct, subprocess, sys, threading, time

NEEDED = {"UI", "VR", "TTS", "Navigation", "VehicleInfo", "Buttons", "BasicCommunication", "RC", "AppService"}
ASKED = ["UI.IsReady", "VR.IsReady", "UI.GetLanguage", "VehicleInfo.GetVehicleType", "BasicCommunication.GetSystemInfo"]
lock = threading.Lock()
listener = socket.create_server(("127.0.0.1", 8087))
client, _ = listener.accept()
stream = client.makefile("rb")
head = b""
while not head.endswith(b"\r\n\r\n"):
    head += stream.readline()
key = re.search(rb"(?i)sec-websocket-key: *(\S+)", head)[1]
accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()
client.sendall(
    f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())


def frame(opcode, payload, isLast=True):
    size = len(payload)
    length = bytes([size]) if size < 126 else struct.pack("!BH", 126, size)
    client.sendall(bytes([(0x80 if isLast else 0) | opcode]) + length + payload)


def send(**message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    # In two fragments with a ping between them, as a broker may send.
    with lock:
        frame(1, text[:7], False)
        frame(9, b"here?")
        frame(0, text[7:])


def messages():
    while head := stream.read(2):
        assert head[1] & 0x80, "a client masks what it sends"
        size = head[1] & 0x7F
        if size > 125:
            size = int.from_bytes(stream.read(2 if size == 126 else 8), "big")
        mask = stream.read(4)
        payload = bytes(byte ^ mask[index % 4] for index, byte in enumerate(stream.read(size)))
        if head[0] & 0x0F == 10:
            assert payload == b"here?"
        else:
            yield json.loads(payload)


def follow(output):
    for line in output:
        print(line, end="", flush=True)
        if '"event":"registered"' in line:
            # The phone is already registered: a control must wait until the HMI is notified too.
            time.sleep(0.3)
            send(method="BasicCommunication.OnAppRegistered", params={"application": {"appID": 7}})
        if '"event":"unregistered"' in line:
            send(method="BasicCommunication.OnAppUnregistered", params={"appID": 7})


def tell(**request):
    unit.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, **request}) + "\n")
    unit.stdin.flush()


unit, components, answers, told = None, set(), set(), {}
for message in messages():
    method, parameters = message.get("method", ""), message.get("params", {})
    if method == "MB.registerComponent":
        components.add(parameters["componentName"])
        send(id=message["id"], result=100)
    elif method == "MB.subscribeTo":
        send(id=message["id"], result="OK")
    elif method == "BasicCommunication.OnReady":
        assert components == NEEDED, components
        for number, name in enumerate(ASKED):
            send(id=number, method=name, params={})
    elif not method and message.get("result", {}).get("code") == 0:
        answers.add(message["result"]["method"])
        if answers == set(ASKED) and not unit:
            port = re.search(r"TCPAdapterPort = (\d+)", open("smartDeviceLink.ini").read())[1]
            unit = subprocess.Popen(
                [sys.argv[1], "head-unit", "--host", "127.0.0.1", "--port", port],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            threading.Thread(target=follow, args=[unit.stdout], daemon=True).start()
    elif method == "SDL.ActivateApp":
        assert parameters == {"appID": 7}
        tell(method="activate")
        send(id=message["id"], result={"code": 0, "method": method})
    elif method.endswith(".OnLanguageChange"):
        told[method] = parameters["language"]
        if len(told) == 3:
            tell(method="language", params=parameters)
            told = {}
    elif method == "BasicCommunication.OnExitAllApplications" and parameters["reason"] == "IGNITION_OFF":
        unit.send_signal(signal.SIGTERM)
        sys.exit(unit.wait())
