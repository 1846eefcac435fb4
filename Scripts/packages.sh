# The system packages that conform needs, and how they come onto a Debian machine. Sourced.

packages=(libpcap-dev libyaml-dev libbson-dev libsimdjson-dev libpcre2-dev zlib1g-dev libzstd-dev
    pkg-config)

# Installs Debian packages, as root; what apt says goes into a log.
apt_install() { # apt_install LOG PACKAGE...
    local log=$1
    shift
    {
        # The lists may be held by somebody else who fetches them, and then are new enough; the
        # lock of dpkg can be waited for.
        apt-get update || true
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y \
            --no-install-recommends "$@"
    } >"$log" 2>&1 </dev/null
}

# Installs what is missing. As root it does so and says so; as an ordinary user it prints the one
# command that does, and stops.
install_packages() {
    local missing=()
    for package in "${packages[@]}"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        echo "conform: system packages are missing; install them with:" >&2
        echo "    sudo apt-get install -y ${missing[*]}" >&2
        exit 2
    fi
    echo "conform: installing ${missing[*]}" >&2
    local log
    log=$(mktemp)
    if ! apt_install "$log" "${missing[@]}"; then
        cat "$log" >&2
        echo "conform: the packages could not be installed; the lines above say why" >&2
        exit 2
    fi
    rm -f "$log"
}
