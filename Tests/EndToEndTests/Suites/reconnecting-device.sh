# A client that keeps a connection and tries again 0.3 s after each failure or lost connection.
while :; do
    (exec 3<>"/dev/tcp/$1/$2" && exec cat <&3 >/dev/null) 2>/dev/null
    sleep 0.3
done
