"""Keeps a connection open with the reconnection of a package: library-client.py PACKAGE HOST PORT

The configuration of the case (CONFORM_CONFIG) may set parameters of the back-off.
"""

import asyncio
import importlib.metadata
import json
import os
import sys
import threading


def aio_pika(host, port):
    import aio_pika

    async def connect():
        await aio_pika.connect_robust(f"amqp://user:secret@{host}:{port}/", fail_fast=False)
        await asyncio.Event().wait()

    asyncio.run(connect())


def confluent_kafka(host, port):
    from confluent_kafka import Producer

    Producer(
        {
            "bootstrap.servers": f"{host}:{port}",
            "reconnect.backoff.ms": 1000,
            "reconnect.backoff.max.ms": 8000,
        }
    ).list_topics(timeout=3600)


def grpcio(host, port):
    import grpc

    channel = grpc.insecure_channel(f"{host}:{port}")
    channel.subscribe(lambda state: print(state, flush=True), try_to_connect=True)
    threading.Event().wait()


def kazoo(host, port):
    from kazoo.client import KazooClient

    # The default of the client, with the jitter of the case.
    retry = {"max_tries": -1, "delay": 1, "max_delay": 8, **given}
    KazooClient(f"{host}:{port}", connection_retry=retry).start_async()
    threading.Event().wait()


def kombu(host, port):
    from kombu import Connection

    url = f"amqp://user:secret@{host}:{port}//"
    Connection(url).ensure_connection(errback=lambda error, wait: print(error, wait, flush=True))


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


def pika(host, port):
    import pika

    pika.BlockingConnection(
        pika.ConnectionParameters(host, port, connection_attempts=6, retry_delay=2)
    )


def psycopg_pool(host, port):
    from psycopg_pool import ConnectionPool

    pool = ConnectionPool(
        f"host={host} port={port} user=user dbname=data",
        min_size=1,
        open=False,
        reconnect_timeout=10,
        reconnect_failed=lambda pool: print("given up", flush=True),
    )
    pool.open()
    threading.Event().wait()


def pymongo(host, port):
    import pymongo

    pymongo.MongoClient(host, port, serverSelectionTimeoutMS=3_600_000).admin.command("ping")


def python_socketio(host, port):
    import socketio

    # The client for asyncio: libfaketime does not affect the threads of the other one.
    async def connect():
        client = socketio.AsyncClient()
        await client.connect(f"http://{host}:{port}", transports=["websocket"], retry=True)
        await client.wait()

    asyncio.run(connect())


def pyzmq(host, port):
    import zmq

    socket = zmq.Context().socket(zmq.DEALER)
    socket.reconnect_ivl = 1000
    socket.reconnect_ivl_max = 8000
    socket.connect(f"tcp://{host}:{port}")
    threading.Event().wait()


def stomp_py(host, port):
    import stomp

    stomp.Connection(
        [(host, port)],
        reconnect_sleep_initial=4,
        reconnect_sleep_increase=1,
        reconnect_sleep_max=16,
        reconnect_attempts_max=-1,
    ).connect(wait=True)


def twisted(host, port):
    from twisted.application.internet import ClientService, backoffPolicy
    from twisted.internet import endpoints, protocol, reactor

    endpoint = endpoints.TCP4ClientEndpoint(reactor, host, port)
    factory = protocol.Factory.forProtocol(protocol.Protocol)
    ClientService(endpoint, factory, backoffPolicy(**given)).startService()
    reactor.run()


def urllib3(host, port):
    import urllib3

    retries = urllib3.Retry(backoff_factor=1, backoff_max=8, **given)
    urllib3.PoolManager().request("GET", f"http://{host}:{port}/", retries=retries)


given = json.loads(os.environ.get("CONFORM_CONFIG") or "{}")
package, host, port = sys.argv[1:]
print(package, importlib.metadata.version(package), flush=True)
globals()[package.replace("-", "_").replace(".", "_")](host, int(port))
