"""Executes the shell parts of an integration as its CI engine does, with the engine's variables.

    engine.py github|gitlab|jenkins FILE PROJECT [INPUT=VALUE ...]

Steps of the engine itself (caches, uploads) are left out. Exits with the code of the first command
that fails.
"""

import os
import re
import subprocess
import sys

import yaml

engine, path, project, *words = sys.argv[1:]
given = dict(word.split("=", 1) for word in words)
home = os.path.join(project, ".home")
os.makedirs(home, exist_ok=True)
environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": home}


def execute(shell, script, variables):
    code = subprocess.run([*shell, script], cwd=project, env={**environment, **variables}).returncode
    if code:
        sys.exit(code)


def github(text):
    action = yaml.safe_load(text)
    inputs = {name: given.get(name, each.get("default", "")) for name, each in action["inputs"].items()}
    outputs = {}

    def value(expression):
        first = expression.split(" || ")[0].split(".")
        return inputs[first[1]] if first[0] == "inputs" else outputs[first[1]][first[3]]

    def expanded(text):
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: value(found[1]), text)

    for step in action["runs"]["steps"]:
        if "run" not in step or step.get("if", "").find("github-hosted") >= 0:
            continue
        files = {name: os.path.join(home, name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")}
        variables = {name: expanded(text) for name, text in step.get("env", {}).items()}
        variables |= {"GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": os.path.dirname(path), **files}
        open(files["GITHUB_OUTPUT"], "w").close()
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
        execute(shell, expanded(step["run"]), variables)
        with open(files["GITHUB_OUTPUT"]) as lines:
            outputs[step.get("id")] = dict(line.rstrip("\n").split("=", 1) for line in lines)


def gitlab(text):
    head, job = list(yaml.safe_load_all(text))
    inputs = {name: given.get(name, each.get("default", "")) for name, each in head["spec"]["inputs"].items()}
    text = re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda found: inputs[found[1]], yaml.safe_dump(job))
    job = yaml.safe_load(text)["conform"]
    variables = {"GITLAB_CI": "true", "CI": "true", "CI_PROJECT_DIR": project}
    for name, text in job["variables"].items():
        variables[name] = str(text or "").replace("$CI_PROJECT_DIR", project)
    # One shell for both, as a runner has.
    execute(["sh", "-ec"], "\n".join(job["before_script"] + job["script"]), variables)


def jenkins(text):
    variables = {"JENKINS_URL": "http://localhost/", "BUILD_NUMBER": "1", "CI": "true"}
    for name, text_ in re.findall(r"^\s+(\w+) = ['\"](.*)['\"]$", text, flags=re.M):
        variables[name] = given.get(name, text_.replace("${env.HOME}", home))
    for script in re.findall(r"^\s+sh '(.*)'$", text, flags=re.M):
        execute(["sh", "-xec"], script, variables)


with open(path) as file:
    {"github": github, "gitlab": gitlab, "jenkins": jenkins}[engine](file.read())
