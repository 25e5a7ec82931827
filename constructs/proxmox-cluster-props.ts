import type { Credentials } from './values/credentials';
import type { MachineSettingsProps } from './props/machine-settings';

/** How much may happen at once. */
export interface LimitsProps {
  /**
   * Clones of one template.
   * @default 4
   */
  readonly clonesPerTemplate?: number;
  /**
   * Tasks on one node.
   * @default 8
   */
  readonly tasksPerNode?: number;
  /**
   * Requests.
   * @default 8
   */
  readonly requests?: number;
}

/** A range of vmids, both ends in it. */
export interface VmidRangeProps {
  /** First. */
  readonly from: number;
  /** Last. */
  readonly to: number;
}

/**
 * How a cluster is reached and what may be used of it. All but `defaults` must be written: a destroy may name nothing
 * that only Terraform knows.
 */
export interface ProxmoxClusterProps {
  /**
   * Names the cluster; also selects its environment variables.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * Where the API is, such as "https://pve1.example.com:8006".
   * @default - PVE_ENDPOINT of whoever runs Terraform
   */
  readonly endpoint?: string;
  /**
   * Several addresses of the same cluster, tried in order.
   * @default - only `endpoint`
   */
  readonly endpoints?: readonly string[];
  /**
   * Who owns the machines: only their owner changes them. It may not change later.
   * @default - stack, cluster and workspace: "web/lab/default"
   */
  readonly owner?: string;
  /**
   * Where credentials are found.
   * @default Credentials.fromEnvironment()
   */
  readonly credentials?: Credentials;
  /**
   * Trust any certificate. Each run warns of it.
   * @default false
   */
  readonly insecureSkipTlsVerify?: boolean;
  /**
   * The authority that signed the server's certificate: PEM text, or the path of a file where Terraform runs.
   * @default - those that Node.js trusts
   */
  readonly caCertificate?: string;
  /**
   * A client certificate: PEM text or a path. Its key is read from PVE_CLIENT_KEY.
   * @default - none
   */
  readonly clientCertificate?: string;
  /**
   * SHA-256 fingerprint that the server's certificate must have.
   * @default - any certificate that is trusted
   */
  readonly fingerprint?: string;
  /**
   * Nodes that may be used.
   * @default - all
   */
  readonly nodes?: readonly string[];
  /**
   * Storages that may be used.
   * @default - all
   */
  readonly storages?: readonly string[];
  /**
   * Bridges that may be used.
   * @default - all
   */
  readonly networks?: readonly string[];
  /**
   * Network name to bridge. It adds to the default map.
   * @default - default and lan are vmbr0, dmz is vmbr1, mgmt and management are vmbr2
   */
  readonly networkMap?: Readonly<Record<string, string>>;
  /**
   * Automatic vmids are taken from here, the lowest free one first.
   * @default - 10000 to 99999
   */
  readonly vmidRange?: VmidRangeProps;
  /**
   * Settings of every machine, below its class and below what it says itself.
   * @default - none
   */
  readonly defaults?: MachineSettingsProps;
  /**
   * How much may happen at once.
   * @default - 4 clones of a template, 8 tasks of a node, 8 requests
   */
  readonly limits?: LimitsProps;
  /**
   * How long a task of Proxmox may take.
   * @default '5m'
   */
  readonly taskTimeout?: string;
  /**
   * Shortest wait before a look at a task.
   * @default '50ms'
   */
  readonly pollFloor?: string;
  /**
   * Longest wait before a look at a task.
   * @default '2s'
   */
  readonly pollCeiling?: string;
}
