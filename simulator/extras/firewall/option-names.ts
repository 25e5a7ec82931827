const GUEST_FLAGS = ['dhcp', 'enable', 'ipfilter', 'macfilter', 'ndp', 'radv'];
const GUEST = [...GUEST_FLAGS, 'log_level_in', 'log_level_out', 'policy_in', 'policy_out'];

const CLUSTER_NUMBERS = ['ebtables', 'enable'];
const CLUSTER = [...CLUSTER_NUMBERS, 'log_ratelimit', 'policy_forward', 'policy_in', 'policy_out'];

const NODE_NUMBERS =
  'enable log_nf_conntrack ndp nf_conntrack_allow_invalid nf_conntrack_max nf_conntrack_tcp_timeout_established nf_conntrack_tcp_timeout_syn_recv nftables nosmurfs protection_synflood protection_synflood_burst protection_synflood_rate tcpflags'.split(
    ' ',
  );
const NODE_TEXTS =
  'log_level_forward log_level_in log_level_out nf_conntrack_helpers smurf_log_level tcp_flags_log_level'.split(
    ' ',
  );

/** The options of a firewall, and which of them are shown as numbers. */
export interface OptionNames {
  all: string[];
  numbers: string[];
}

export const GUEST_OPTIONS: OptionNames = { all: GUEST, numbers: GUEST_FLAGS };
export const CLUSTER_OPTIONS: OptionNames = { all: CLUSTER, numbers: CLUSTER_NUMBERS };
export const NODE_OPTIONS: OptionNames = { all: [...NODE_NUMBERS, ...NODE_TEXTS], numbers: NODE_NUMBERS };
