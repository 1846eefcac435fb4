"""Executes a Kubernetes job on this machine, one pod after the other.

kubelet.py REPORTS SUITES MANIFEST: REPORTS replaces the mount of the manifest's claim, SUITES the
suites of its image. Ends with the exit code of the last pod that failed, or 0.
"""

import os
import subprocess
import sys

import kubernetes_validate
import yaml

reports, suites, manifest = sys.argv[1:]
with open(manifest) as file:
    job = yaml.safe_load(file)
kubernetes_validate.validate(job, "1.34", strict=True)
spec = job["spec"]
pod = spec["template"]["spec"]
claims = [volume["name"] for volume in pod["volumes"] if "persistentVolumeClaim" in volume]
container = pod["containers"][0]
[mount] = [m["mountPath"] for m in container["volumeMounts"] if m["name"] in claims]
variables = {e["name"]: e["value"] for e in container.get("env", [])}
count = spec.get("completions", 1)
if spec.get("completionMode") == "Indexed" and variables["SHARDS"] != str(count):
    sys.exit(f"SHARDS is {variables['SHARDS']}, completions are {count}")


def on_this_machine(text):
    return text.replace("/usr/share/conform/suites", suites).replace(mount, reports)


status = 0
for index in range(count):
    own = {name: on_this_machine(value) for name, value in variables.items()}
    if spec.get("completionMode") == "Indexed":
        own["JOB_COMPLETION_INDEX"] = str(index)
    words = [on_this_machine(word) for word in container["command"] + container["args"]]
    ended = subprocess.run(words, env=os.environ | own)
    status = ended.returncode or status
sys.exit(status)
