#!/bin/sh
# /usr/local/sbin/storage-qos INTERFACE: how storage traffic is marked, paused and shared on a host port.
set -eu
interface=$1
device=$(rdma link show | sed -n "s|^link \([^/]*\)/1 .* netdev $interface\$|\1|p")
if command -v mlnx_qos >/dev/null; then
    mlnx_qos -i "$interface" --trust dscp
    mlnx_qos -i "$interface" --pfc 0,0,0,1,0,0,0,0
    mlnx_qos -i "$interface" --dscp2prio set,26,3
    mlnx_qos -i "$interface" --dscp2prio set,48,6
    mlnx_qos -i "$interface" --tsa ets,ets,ets,ets,ets,ets,strict,ets --tc_bw 50,0,0,50,0,0,0,0
else
    dcb pfc set dev "$interface" prio-pfc all:off 3:on
    dcb app replace dev "$interface" dscp-prio 26:3 48:6
    dcb ets set dev "$interface" prio-tc all:0 3:3 6:6 tc-tsa all:ets 6:strict tc-bw all:0 0:50 3:50
fi
cma_roce_mode -d "$device" -p 1 -m 2
cma_roce_tos -d "$device" -t 106
echo 106 >"/sys/class/infiniband/$device/tc/1/traffic_class"
for side in roce_np roce_rp; do
    if [ -d "/sys/class/net/$interface/ecn/$side" ]; then
        echo 1 >"/sys/class/net/$interface/ecn/$side/enable/3"
    fi
done
