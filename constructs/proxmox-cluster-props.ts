import type { Credentials } from './credentials';
import type { MachineSettingsProps } from './machine-props';

/** How a cluster is reached and what may be used of it. All of it must be written: no value may come from Terraform. */
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
   * Nodes that may be used.
   * @default - all
   */
  readonly nodes?: readonly string[];
  /**
   * Settings of every machine, below its class and below what it says itself.
   * @default - none
   */
  readonly defaults?: MachineSettingsProps;
}
