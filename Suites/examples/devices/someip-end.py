"""A server and a client of SOME/IP with the Python package someip: someip-end.py server|client [MISTAKE].

It has a different address than the peers, because both use the port of service discovery.
"""
import asyncio
import dataclasses
import socket
import sys

from someip import config, header, sd, service

GROUP, SD_PORT, PORT, SERVICE = "224.244.224.245", 30490, 30501, 0x1234
HOST, SERVICE_HOST = "127.0.0.2", "127.0.0.1"
role = sys.argv[1]
mistake = sys.argv[2] if len(sys.argv) > 2 else ""


class Echo(service.SimpleService):
    service_id = SERVICE
    version_major = 1
    version_minor = 0

    def __init__(self, instance):
        super().__init__(instance)
        self.register_method(1, lambda message, _: message.payload)

    def send_positive_response(self, msg, addr, payload=b""):
        if mistake == "session":
            msg = dataclasses.replace(msg, session_id=msg.session_id ^ 1)
        super().send_positive_response(msg, addr, payload)


class Caller(sd.ClientServiceListener):
    def __init__(self, socket):
        self.socket = socket

    def service_offered(self, found, source):
        option = found.options_1[0]
        call = header.SOMEIPHeader(
            service_id=SERVICE, method_id=1, client_id=9, session_id=1, interface_version=1,
            message_type=header.SOMEIPMessageType.REQUEST, payload=b"blue")
        port = option.port + (1 if mistake == "port" else 0)
        self.socket.sendto(call.build(), (str(option.address), port))

    def service_stopped(self, found, source):
        pass


async def main():
    _, _, discovery = await sd.ServiceDiscoveryProtocol.create_endpoints(
        family=socket.AF_INET, local_addr=HOST, multicast_addr=GROUP, port=SD_PORT)
    discovery.timings.INITIAL_DELAY_MIN = 0.05
    discovery.timings.INITIAL_DELAY_MAX = 0.1
    if role == "server":
        _, echo = await Echo.create_unicast_endpoint(1, local_addr=(SERVICE_HOST, PORT))
        if mistake != "silent":
            echo.start_announce(discovery.announcer)
    else:
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sender.bind((HOST, 0))
        wanted = config.Service(SERVICE, 1, 1, 0)
        if mistake != "silent":
            discovery.discovery.watch_service(wanted, Caller(sender))
    discovery.start()
    await asyncio.sleep(3600)


asyncio.run(main())
