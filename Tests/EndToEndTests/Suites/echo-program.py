"""A peer that echoes the data that it receives, and with a second argument ends after that."""

import socket
import sys

server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    connection = server.accept()[0]
    while data := connection.recv(1000):
        connection.sendall(data)
        if len(sys.argv) > 2:
            sys.exit("enough")
    connection.close()
