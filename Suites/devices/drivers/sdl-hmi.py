"""A minimal HMI for sdl_core, in two parts.

sdl-hmi.py registers the components at the WebSocket broker of the core, answers each request with success,
and prints "the HMI is ready". sdl-hmi.py activate, language '{"language": "FR-CA"}' and stop make the
HMI with the same HOME do what its user does: bring every app to the foreground, choose a language, end the
ignition.
"""
import base64, json, os, pathlib, socket, struct, sys, threading, time

BROKER = ("127.0.0.1", 8087)
CONTROL = str(pathlib.Path.home() / "hmi")
COMPONENTS = ["UI", "VR", "TTS", "Navigation", "VehicleInfo", "Buttons", "BasicCommunication", "RC", "AppService"]
NOTIFIED = ["BasicCommunication.OnAppRegistered", "BasicCommunication.OnAppUnregistered"]
LANGUAGES = ["EN-US", "DE-DE", "FR-CA", "ES-MX"]


class Broker:
    """The client's side of a WebSocket connection that carries JSON (RFC 6455)."""

    def __init__(self):
        self.lock = threading.Lock()
        for _ in range(600):
            try:
                self.socket = socket.create_connection(BROKER)
                break
            except OSError:
                time.sleep(0.05)
        else:
            sys.exit(f"nothing listens on {BROKER[0]}:{BROKER[1]}")
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET / HTTP/1.1\r\nHost: {BROKER[0]}:{BROKER[1]}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        status = self.file.readline()
        while self.file.readline().strip():
            pass
        if b" 101 " not in status:
            sys.exit(f"the broker refuses: {status!r}")

    def write(self, opcode, payload):
        size, mask = len(payload), os.urandom(4)
        length = bytes([0x80 | size]) if size < 126 else struct.pack("!BH", 0xFE, size) if size < 65536 else struct.pack("!BQ", 0xFF, size)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        with self.lock:
            self.socket.sendall(bytes([0x80 | opcode]) + length + mask + masked)

    def send(self, **message):
        self.write(1, json.dumps({"jsonrpc": "2.0", **message}).encode())

    def messages(self):
        text = b""
        while head := self.file.read(2):
            size = head[1] & 0x7F
            if size > 125:
                size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
            payload, opcode = self.file.read(size), head[0] & 0x0F
            if opcode == 9:
                self.write(10, payload)
            if opcode == 8:
                return
            if opcode < 3:
                text += payload
                if head[0] & 0x80:
                    yield json.loads(text)
                    text = b""


class HMI:
    def __init__(self):
        self.language = json.loads(os.environ.get("CONFORM_CONFIG") or "{}").get("language", "EN-US")
        self.apps, self.count, self.broker = [], 1000, Broker()
        self.registered = threading.Condition()
        for component in COMPONENTS:
            self.request("MB.registerComponent", componentName=component)
        for name in NOTIFIED:
            self.request("MB.subscribeTo", propertyName=name)
        self.notify("BasicCommunication.OnReady")

    def request(self, method, **parameters):
        self.count += 1
        self.broker.send(id=self.count, method=method, params=parameters)

    def notify(self, method, **parameters):
        self.broker.send(method=method, params=parameters)

    def result(self, method):
        parts = {
            "IsReady": {"available": True},
            "GetLanguage": {"language": self.language},
            "GetSupportedLanguages": {"languages": LANGUAGES},
            "GetSystemInfo": {"ccpu_version": "conform", "language": self.language, "wersCountryCode": "EU"},
            "MixingAudioSupported": {"attenuatedSupported": True},
            "GetVehicleType": {"vehicleType": {"make": "Conform", "model": "One", "modelYear": "2026", "trim": "x"}},
            "PerformInteraction": {"choiceID": 1},
        }
        return {"code": 0, "method": method, **parts.get(method.split(".")[1], {})}

    def serve(self):
        for message in self.broker.messages():
            method = message.get("method", "")
            if method and "id" in message:
                self.broker.send(id=message["id"], result=self.result(method))
            elif method == "BasicCommunication.OnAppRegistered":
                with self.registered:
                    self.apps.append(message["params"]["application"]["appID"])
                    self.registered.notify_all()
            elif method == "BasicCommunication.OnAppUnregistered":
                self.apps = [app for app in self.apps if app != message["params"]["appID"]]
            elif "error" in message:
                print("refused:", json.dumps(message), flush=True)

    def activate(self):
        # The core may answer the phone before it notifies the HMI of the app.
        with self.registered:
            self.registered.wait_for(lambda: self.apps, timeout=2)
        for app in self.apps:
            self.request("SDL.ActivateApp", appID=app)

    def choose(self, language):
        self.language = language
        for component in ("VR", "TTS", "UI"):
            self.notify(component + ".OnLanguageChange", language=language)

    def stop(self):
        for reason in ("SUSPEND", "IGNITION_OFF"):
            self.notify("BasicCommunication.OnExitAllApplications", reason=reason)
            time.sleep(0.1)

    def obey(self, listener):
        while True:
            connection, _ = listener.accept()
            with connection:
                words = json.loads(connection.makefile("rb").readline())
                if words[0] == "language":
                    self.choose(json.loads(words[1])["language"])
                else:
                    {"activate": self.activate, "stop": self.stop}[words[0]]()
                connection.sendall(b"done\n")


def ask(words):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(CONTROL)
    connection.sendall(json.dumps(words).encode() + b"\n")
    if connection.makefile("rb").readline() != b"done\n":
        sys.exit("the HMI did not do it")


if sys.argv[1:]:
    ask(sys.argv[1:])
else:
    pathlib.Path(CONTROL).unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(CONTROL)
    listener.listen()
    hmi = HMI()
    threading.Thread(target=hmi.obey, args=[listener], daemon=True).start()
    print("the HMI is ready", flush=True)
    hmi.serve()
