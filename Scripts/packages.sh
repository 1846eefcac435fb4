# The system packages that conform needs, and functions that install them on Debian. Other scripts
# source this file.

packages=(libpcap-dev libyaml-dev libbson-dev libsimdjson-dev libpcre2-dev zlib1g-dev libzstd-dev
    libssl-dev pkg-config)

# Installs Debian packages, as root. The output of apt goes into a log.
apt_install() { # apt_install LOG PACKAGE...
    local log=$1
    shift
    {
        # Another process may hold the lock of the package lists while it updates them; then they
        # are new enough. For the lock of dpkg apt-get can wait.
        apt-get update || true
        DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y \
            --no-install-recommends "$@"
    } >"$log" 2>&1 </dev/null
}

# Installs missing packages if it runs as root. As an ordinary user it prints the command that
# installs them, and exits.
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
