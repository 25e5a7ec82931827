import { Token, type IResolvable } from 'cdktf';
import { Construct } from 'constructs';
import { clusterOf } from './cluster-of';
import type { ExistingMachineProps } from './existing-machine-props';
import { Cluster } from './private/cluster/cluster';
import { refuseLoop } from './private/cluster/refuse-loop';
import { ExistingData } from './private/resources/existing-data';
import type { ProxmoxCluster } from './proxmox-cluster';

/**
 * A guest that is there and stays somebody else's: it is read at each plan, and nothing is ever written to it. A plan
 * fails where it is not there, or where several guests could be meant. What is not known is null.
 */
export class ExistingMachine extends Construct {
  /** What it is called in the stack. */
  readonly existingId: string;
  /** The cluster that it is on. */
  readonly cluster: ProxmoxCluster;
  private readonly data: ExistingData;

  constructor(scope: Construct, id: string, props: ExistingMachineProps) {
    super(scope, id);
    refuseLoop(this, props);
    const { cluster, ...fields } = props;
    this.cluster = clusterOf(this, cluster);
    this.data = new ExistingData(Cluster.of(this.cluster), this, { id, ...fields });
    this.existingId = this.data.id;
  }

  /** The guest's number. */
  get vmid(): number {
    return Token.asNumber(this.data.value('.vmid'));
  }

  /** The node that it is on. */
  get nodeName(): string {
    return Token.asString(this.data.value('.node'));
  }

  /** The guest's name in Proxmox. */
  get guestName(): string {
    return Token.asString(this.data.value('.name'));
  }

  /** The SMBIOS uuid: it tells the guest from its copies. */
  get uuid(): string {
    return Token.asString(this.data.value('.uuid'));
  }

  /** "running", "stopped", "paused" or "suspended". */
  get powerState(): string {
    return Token.asString(this.data.value('.powerState'));
  }

  /** `cores` of each socket, `sockets`, and `threads`: the processors that the guest sees. */
  get cpu(): IResolvable {
    return this.data.value('.cpu');
  }

  /** Its memory in bytes. */
  get memory(): number {
    return Token.asNumber(this.data.value('.memory'));
  }

  /**
   * The first IPv4 address that its agent tells, else the first address. Null where none is known: each plan warns of
   * that and says why. Terraform puts no null into a text, and fails there.
   */
  get primaryIpAddress(): string {
    return Token.asString(this.data.address('.primaryIpAddress'));
  }

  /** The addresses that its agent tells, of both families, without loopback and link-local. Empty where none is known. */
  get ipAddresses(): string[] {
    return Token.asList(this.data.address('.ipAddresses'));
  }

  /** Why no address is known; null where one is. */
  get whyNoAddress(): string {
    return Token.asString(this.data.value('.whyNoAddress'));
  }

  /** The MAC addresses by their slots, such as "net0". Of a machine of another program: by the names of its networks. */
  get macAddresses(): Record<string, string> {
    return Token.asStringMap(this.data.value('.macAddresses'));
  }

  /** The disks by their slots, such as "scsi0", or by their names: `slot`, `volume`, and `size` in bytes. */
  get disks(): IResolvable {
    return this.data.value('.disks');
  }

  /** Its tags, sorted. */
  get tags(): string[] {
    return Token.asList(this.data.value('.tags'));
  }

  /** Its pool, or null. */
  get pool(): string {
    return Token.asString(this.data.value('.pool'));
  }

  /** Where the console opens in a browser, for who may use it. */
  get consoleUrl(): string {
    return Token.asString(this.data.value('.consoleUrl'));
  }
}
