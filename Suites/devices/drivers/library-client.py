"""Keeps a connection open with the reconnection of a package: library-client.py PACKAGE HOST PORT"""

import asyncio
import importlib.metadata
import sys
import threading


def grpcio(host, port):
    import grpc

    channel = grpc.insecure_channel(f"{host}:{port}")
    channel.subscribe(lambda state: print(state, flush=True), try_to_connect=True)
    threading.Event().wait()


def kafka_python(host, port):
    from kafka import KafkaProducer

    KafkaProducer(
        bootstrap_servers=f"{host}:{port}",
        reconnect_backoff_ms=1000,
        reconnect_backoff_max_ms=8000,
        bootstrap_timeout_ms=3_600_000,
    )


def nats_py(host, port):
    import nats

    async def report(error):
        print(repr(error), flush=True)

    async def connect():
        await nats.connect(f"nats://{host}:{port}", error_cb=report, max_reconnect_attempts=-1)
        await asyncio.Event().wait()

    asyncio.run(connect())


def paho_mqtt(host, port):
    import paho.mqtt.client as mqtt

    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    client.reconnect_delay_set(1, 8)
    client.connect_async(host, port)
    client.loop_forever(retry_first_connection=True)


def python_socketio(host, port):
    import socketio

    # The client for asyncio: libfaketime does not affect the threads of the other one.
    async def connect():
        client = socketio.AsyncClient()
        await client.connect(f"http://{host}:{port}", transports=["websocket"], retry=True)
        await client.wait()

    asyncio.run(connect())


package, host, port = sys.argv[1:]
print(package, importlib.metadata.version(package), flush=True)
globals()[package.replace("-", "_")](host, int(port))
