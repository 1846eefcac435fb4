"""An adapter that breaks the protocol in the way that its argument names."""

import sys
import time

word = sys.argv[1]
print('{"ready": true}' if word != "slow" else "", flush=True)
if word == "babble":
    print('{"sned": {"text": "a"}}', flush=True)
if word == "crash":
    time.sleep(0.5)
    sys.exit(3)
time.sleep(60)
