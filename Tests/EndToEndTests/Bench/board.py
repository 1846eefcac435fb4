#!/usr/bin/env python3
"""A board with a serial line that starts and stops a program, and forwards requests to it.

    board.py LINK PROGRAM ARGUMENT ...

LINK becomes a symbolic link to the terminal that is the other end of the line. There the board
reads JSON-RPC requests, one per line. `board.begin` (host, port, configuration, listens) restarts
the program with an empty home, and is answered after the program listens if `listens` is true;
`board.end` stops it. Every other request goes to its standard input, and the lines that it prints
go to the serial line.
"""
import contextlib, json, os, pty, selectors, shutil, signal, subprocess, sys, tempfile, time, tty

link, program = sys.argv[1], sys.argv[2:]
main, line = pty.openpty()
tty.setraw(line)
if os.path.islink(link):
    os.unlink(link)
os.symlink(os.ttyname(line), link)
os.chmod(os.ttyname(line), 0o666)

device, home = None, None
selector = selectors.DefaultSelector()
selector.register(main, selectors.EVENT_READ)


def answer(identifier, result):
    os.write(main, (json.dumps({"jsonrpc": "2.0", "id": identifier, "result": result}) + "\n").encode())


def end():
    global device, home
    if device:
        # A program that has ended by itself is not registered any more.
        with contextlib.suppress(KeyError):
            selector.unregister(device.stdout)
        device.terminate()
        try:
            device.wait(2)
        except subprocess.TimeoutExpired:
            device.kill()
            device.wait()
        device = None
    if home:
        shutil.rmtree(home, ignore_errors=True)
        home = None


def begin(parameters):
    global device, home
    end()
    home = tempfile.mkdtemp(prefix="board-")
    configuration = os.path.join(home, "configuration.json")
    with open(configuration, "w") as file:
        json.dump(parameters["configuration"], file)
    values = {name: str(value) for name, value in parameters.items()} | {"config": configuration}
    words = [word.format(**values) for word in program]
    environment = dict(
        os.environ, HOME=home, TMPDIR=home, CONFORM_CONFIG_FILE=configuration,
        CONFORM_CONFIG=json.dumps(parameters["configuration"]), SWIFT_BACKTRACE="enable=no")
    device = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=environment)
    selector.register(device.stdout, selectors.EVENT_READ)
    limit = time.monotonic() + 10
    while parameters["listens"] and not listens(int(values["port"])) and time.monotonic() < limit:
        time.sleep(0.01)


def listens(port):
    with open("/proc/net/tcp") as table:
        rows = [row.split() for row in table.readlines()[1:]]
    return any(row[3] == "0A" and int(row[1].split(":")[1], 16) == port for row in rows)


def take(text):
    request = json.loads(text)
    if request["method"] == "board.begin":
        begin(request["params"])
        answer(request["id"], True)
    elif request["method"] == "board.end":
        end()
        answer(request["id"], True)
    elif device and device.poll() is None:
        device.stdin.write((text + "\n").encode())
        device.stdin.flush()


signal.signal(signal.SIGTERM, lambda *_: sys.exit())
rest = b""
print("ready", flush=True)
try:
    while True:
        for key, _ in selector.select():
            if key.fileobj == main:
                rest += os.read(main, 65536)
                *lines, rest = rest.split(b"\n")
                for text in lines:
                    take(text.decode())
            else:
                data = os.read(key.fd, 65536)
                if data:
                    os.write(main, data)
                else:
                    selector.unregister(key.fileobj)
finally:
    end()
