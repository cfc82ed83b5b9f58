# shellcheck shell=bash
# Makes and removes the disks, limits and kernel settings of a benchmark. Sourced by the scripts that need them, which
# call clean_lab in a trap.
# shellcheck disable=SC2034 # some values are for the scripts that source this one
shopt -s inherit_errexit
PATH=$PATH:/usr/sbin

readonly HDD_BYTES_PER_SECOND=104857600
readonly HDD_READS_PER_SECOND=200
# The sustained write rate of a cheaper SSD.
readonly SSD_BYTES_PER_SECOND=471859200
# Where files are in memory.
readonly MEMORY_DIR=/dev/shm
readonly CGROUPS=/sys/fs/cgroup
readonly LAB=evenkeel-lab-$$
dir=$PWD/benchmarks/target/lab-$$
java=''
ssd_in_memory=false
declare -A kernel_values=()

die() {
    echo "${0##*/}: $*" >&2
    exit 2
}

# Arguments: the command, and Debian's package with it.
require_command() { command -v "$1" >/dev/null || die "needs $1 (Debian: $2)"; }

# Arguments: the GiB that the benchmark needs.
require_lab() {
    [[ $EUID == 0 ]] || die "needs root for loop devices and control groups; --smoke needs neither"
    [[ -w $CGROUPS/blkio/blkio.throttle.write_bps_device ]] ||
        die "needs cgroup v1 with the blkio controller, mounted at $CGROUPS/blkio"
    require_command mkfs.xfs xfsprogs
    (($(df --output=avail -B1G "$dir" | tail -n 1) >= $1)) ||
        die "needs $1 GiB of free space in $dir: choose another --dir"
    # With a group for each session, Linux 6.18 lets threads wait for 30 to 360 ms that want to run for a moment.
    [[ ! -e /proc/sys/kernel/sched_autogroup_enabled ]] || set_kernel_value kernel/sched_autogroup_enabled 0
}

# Makes a disk, mounts it at $dir/NAME and prints the device's name. Arguments: name, size, read-ahead in KB, and
# "hangs" for a disk that is to hang. Such a disk has a second loop device below its own: the kernel exempts a file
# system's metadata from a limit, but on the device below all writes are data.
make_disk() {
    local image=$dir/$1.img device
    if [[ $1 == ssd ]] && $ssd_in_memory; then
        ln -s "$MEMORY_DIR/$LAB-ssd.img" "$image"
    fi
    truncate -s "$2" "$image"
    device=$(losetup -f --show --direct-io=on "$image")
    [[ ${4-} != hangs ]] || device=$(losetup -f --show --direct-io=on "$device")
    mkfs.xfs -q "$device" >&2
    mkdir "$dir/$1"
    # As docs/tuning.md recommends. With atime, reading a directory would wait for a disk that hangs.
    mount -o noatime,lazytime "$device" "$dir/$1"
    echo "$3" >"/sys/block/${device#/dev/}/queue/read_ahead_kb"
    echo "${device#/dev/}"
}

# Prints the loop devices on a file or device, topmost first.
devices_on() {
    local device
    for device in $(losetup --noheadings --output NAME --associated "$1"); do
        devices_on "$device"
        echo "$device"
    done
}

remove_disk() {
    local device
    for _ in {1..100}; do
        mountpoint -q "$dir/$1" || break
        umount "$dir/$1" 2>/dev/null && break
        sleep 0.1
    done
    ! mountpoint -q "$dir/$1" || umount -l "$dir/$1"
    for device in $(devices_on "$dir/$1.img"); do losetup -d "$device"; done
    rm -f "$(realpath "$dir/$1.img")"
}

# Limits writes to a device. Arguments: device, bytes a second (0: no limit), control group (default: the root group, in
# which the kernel writes back dirty pages).
limit_writes() {
    echo "$(<"/sys/block/$1/dev") $2" >"$CGROUPS/blkio/${3-}/blkio.throttle.write_bps_device"
}

# Limits what a control group reads from an HDD. Arguments: device, control group.
limit_reads() {
    local number
    number=$(<"/sys/block/$1/dev")
    echo "$number $HDD_BYTES_PER_SECOND" >"$CGROUPS/blkio/$2/blkio.throttle.read_bps_device"
    echo "$number $HDD_READS_PER_SECOND" >"$CGROUPS/blkio/$2/blkio.throttle.read_iops_device"
}

unlimit_writes() {
    limit_writes "$1" 0
    echo "$(<"/sys/block/$1/dev") 0" >"$CGROUPS/blkio/blkio.throttle.write_iops_device"
}

# Makes the control groups of a broker on a slow HDD. Arguments: name, the HDD's device, memory.
make_broker_cgroup() {
    mkdir "$CGROUPS/memory/$1" "$CGROUPS/blkio/$1"
    echo "$3" >"$CGROUPS/memory/$1/memory.limit_in_bytes"
    limit_reads "$2" "$1"
    limit_writes "$2" "$HDD_BYTES_PER_SECOND" "$1"
}

# Makes a control group that gets no more than some of one processor, and only what nobody else of the lab wants. The
# periods are short: in longer ones it takes all of both processors for as long as a request may take.
# Arguments: name, percent.
make_spare_cpu_cgroup() {
    mkdir "$CGROUPS/cpu/$LAB.$1"
    echo 2 >"$CGROUPS/cpu/$LAB.$1/cpu.shares"
    echo 10000 >"$CGROUPS/cpu/$LAB.$1/cpu.cfs_period_us"
    echo $((100 * $2)) >"$CGROUPS/cpu/$LAB.$1/cpu.cfs_quota_us"
}

# Removes a control group, and kills the processes that are left in it.
remove_cgroup() {
    local group=$CGROUPS/$1 pid
    for _ in {1..100}; do
        [[ -d $group ]] || return 0
        while read -r pid; do kill -9 "$pid"; done <"$group/cgroup.procs"
        rmdir "$group" 2>/dev/null || sleep 0.1
    done
}

# Sets a value below /proc/sys until the lab is removed.
set_kernel_value() {
    [[ -n ${kernel_values[$1]-} ]] || kernel_values[$1]=$(<"/proc/sys/$1")
    echo "$2" >"/proc/sys/$1"
}

# Restores how the kernel writes dirty pages back when the lab is removed, whoever changes it meanwhile. Of a ratio and
# its bytes one is always 0, and cannot be set to that.
keep_writeback_settings() {
    local name
    for name in dirty{_background,}_{bytes,ratio} dirty_{expire,writeback}_centisecs; do
        [[ $(<"/proc/sys/vm/$name") == 0 ]] || kernel_values[vm/$name]=$(<"/proc/sys/vm/$name")
    done
}

# When a benchmark has failed, prints the first errors and the ends of its brokers' logs, which are about to be removed.
# Arguments: its exit code.
print_logs_of_failure() {
    local log
    (($1 == 1)) || return 0
    find "$dir" -xdev -name broker.log | while read -r log; do
        echo "--- $log"
        grep -m 10 -E ' (ERROR|FATAL) ' "$log"
        tail -n 20 "$log"
    done >&2
}

# Removes all that the lab has made, and goes on when one step fails, or when somebody is impatient.
clean_lab() {
    local status=$? device group image value
    set +e
    print_logs_of_failure $status
    trap '' INT TERM
    if [[ -n $java ]]; then
        kill "$java" 2>/dev/null
        wait "$java"
    fi
    for value in "${!kernel_values[@]}"; do echo "${kernel_values[$value]}" >"/proc/sys/$value"; done
    shopt -s nullglob
    for image in "$dir"/*.img; do
        for device in $(devices_on "$image"); do unlimit_writes "${device#/dev/}"; done
    done
    for group in "$CGROUPS"/{memory,blkio,cpu}/"$LAB"*; do remove_cgroup "${group#"$CGROUPS"/}"; done
    for image in "$dir"/*.img; do remove_disk "$(basename "$image" .img)"; done
    rm -rf --one-file-system "$dir"
}

# Runs benchmarks/main in the lab, in the background, so that the script handles a signal at once.
run_in_lab() {
    (
        [[ ! -d $CGROUPS/blkio/$LAB ]] || echo "$BASHPID" >"$CGROUPS/blkio/$LAB/cgroup.procs"
        exec benchmarks/main "$@"
    ) &
    java=$!
    wait $java
    java=''
}
