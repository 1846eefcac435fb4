"""Sends one command to a Redis server that cannot be reached: redis-client.py HOST PORT

The configuration of the case (CONFORM_CONFIG) chooses the back-off of the package:
{"backoff": "FullJitterBackoff", "base": 1, "cap": 8, "retries": 30}
"""

import json
import os
import sys

import redis
import redis.backoff
from redis.retry import Retry

config = json.loads(os.environ["CONFORM_CONFIG"])
if config["backoff"] == "ConstantBackoff":
    backoff = redis.backoff.ConstantBackoff(config["base"])
else:
    backoff = getattr(redis.backoff, config["backoff"])(cap=config["cap"], base=config["base"])
print(f"redis-py {redis.__version__}, {config}", flush=True)
client = redis.Redis(sys.argv[1], int(sys.argv[2]), retry=Retry(backoff, config["retries"]))
try:
    client.ping()
except redis.ConnectionError as error:
    print(error, flush=True)
