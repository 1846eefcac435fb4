"""Does one thing for ever with a client library: poller.py KIND HOST PORT

KIND is resp, smtp, mqtt, http, dns or websocket. What fails is reported by its type and done again.
"""

import sys
import time


def resp(host, port):
    import redis

    client = redis.Redis(
        host=host, port=port, protocol=2, driver_info=None, socket_timeout=5, retry=None)
    while True:
        yield client.get("colour")


def smtp(host, port):
    import smtplib

    while True:
        client = smtplib.SMTP(host, port, timeout=5)
        try:
            yield client.sendmail("a@client.example", ["b@mx.example"], "Subject: a\n\nb\n")
        finally:
            client.close()


def publish_again(client):
    time.sleep(0.05)
    client.publish("colour", "blue", qos=1)


def mqtt(host, port):
    import paho.mqtt.client

    client = paho.mqtt.client.Client(paho.mqtt.client.CallbackAPIVersion.VERSION2)
    while True:
        client.reinitialise("conform")
        client.on_connect = lambda *_: client.publish("colour", "blue", qos=1)
        client.on_publish = lambda *_: publish_again(client)
        client.connect(host, port)
        while client.loop(0.2) == paho.mqtt.client.MQTT_ERR_SUCCESS:
            pass
        yield


def http(host, port):
    import http.client

    while True:
        client = http.client.HTTPConnection(host, port, timeout=5)
        try:
            while True:
                client.request("GET", "/colour")
                yield client.getresponse().read()
        finally:
            client.close()


def dns(host, port):
    import dns.message
    import dns.query

    name = "colour.example"
    while True:
        answer = dns.query.udp(
            dns.message.make_query(name, "A"), host, timeout=3, port=port, ignore_unexpected=True,
            ignore_errors=True)
        # The next question tells what was answered.
        found = [record.address for part in answer.answer for record in part if record.rdtype == 1]
        name = f"a{found[0].replace('.', '-')}.example" if found and name[0] == "c" else (
            "colour.example")
        yield found


def websocket(host, port):
    from websockets.sync.client import connect

    while True:
        with connect(f"ws://{host}:{port}/", proxy=None, close_timeout=1) as connection:
            while True:
                connection.send("colour")
                yield connection.recv(timeout=5)


kind, host, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
while True:
    try:
        for _ in globals()[kind](host, port):
            time.sleep(0.05)
    except Exception as error:
        print(type(error).__name__, flush=True)
        time.sleep(0.02)
