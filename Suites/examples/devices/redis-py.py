"""Asks a Redis server for one key with the Python package redis: redis-py.py HOST PORT"""

import sys

import redis

client = redis.Redis(
    host=sys.argv[1], port=int(sys.argv[2]), protocol=2, driver_info=None, socket_timeout=5)
print(client.get("colour"), flush=True)
client.close()
