import { Token, type IResolvable, type ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { SpecError } from './values/spec-error';
import type { MachineProps } from './machine-props';
import { ADDRESSES } from './private/calls/queries';
import { Cluster } from './private/cluster/cluster';
import { noteKind } from './private/copies';
import { clusterOf } from './cluster-of';
import { Facts } from './private/resources/facts';
import { refuseLoop } from './private/cluster/refuse-loop';
import { makeRevision } from './private/resources/revision';
import type { NullResource } from './private/stack/null-provider';
import {
  firstStaticAddress,
  networkNamed,
  saidNumber,
  saidText,
  whyNoAddress,
} from './private/tokens/known-outputs';
import { WantedMachine } from './private/cluster/wanted-machine';
import type { ProxmoxCluster } from './proxmox-cluster';

/**
 * A machine on a Proxmox cluster. The construct checks what it says; Terraform and the reconciler make the guest.
 * An output that the program itself says is that very value; reading any other one lets Terraform ask the cluster.
 */
export class Machine extends Construct implements ITerraformDependable {
  /** The identity of the machine: unique in its cluster, and part of its address in Terraform. */
  readonly machineId: string;
  /** The cluster that it is on. */
  readonly cluster: ProxmoxCluster;
  private readonly wanted: WantedMachine;
  private readonly revision: NullResource;
  private readonly facts: Facts;

  constructor(scope: Construct, id: string, props: MachineProps = {}) {
    super(scope, id);
    noteKind(this, 'Machine');
    refuseLoop(this, props);
    const { cluster, dependsOn = [], class: machineClass, ...fields } = props;
    this.cluster = clusterOf(this, cluster);
    const parts = Cluster.of(this.cluster);
    this.wanted = new WantedMachine(this, parts, { id, ...fields }, machineClass?.spec);
    this.machineId = this.wanted.id;
    parts.add(this.wanted);
    this.revision = makeRevision(parts, this, this.wanted, dependsOn);
    this.facts = new Facts(parts, this, {
      machine: this.machineId,
      query: () => ({ machine: this.machineId, revision: this.revision.id }),
    });
  }

  /** What `dependsOn` of another resource waits for: the machine is as its spec says. */
  get fqn(): string {
    return this.revision.fqn;
  }

  /** The guest's number: that of the program, else the one that was chosen. Of a machine that is only observed: the guest's. */
  get vmid(): number {
    return this.said(fields => saidNumber(fields.vmid)) ?? this.facts.number('vmid');
  }

  /** The node that it is on. It is not called `node`: that is the construct's place in the tree. */
  get nodeName(): string {
    return this.facts.text('node');
  }

  /** The SMBIOS uuid: it tells the guest from its copies, and stays for the guest's life. */
  get uuid(): string {
    return this.facts.text('uuid');
  }

  /** The guest's name: that of the program, else the machine's id. Of one that is observed or adopted: the guest's own. */
  get guestName(): string {
    const named = this.said(({ name, adopt = false }) =>
      adopt === false ? (saidText(name) ?? this.machineId) : saidText(name),
    );
    return named ?? this.facts.text('name');
  }

  /** "Pending", "Creating", "Running", "Stopped" or "Error". */
  get phase(): string {
    return this.facts.text('phase');
  }

  /** "running", "stopped", "paused", "suspended" or "unknown". */
  get powerState(): string {
    return this.facts.text('powerState');
  }

  /**
   * The addresses of the guest's own network cards, of both families, without loopback and link-local. Reading them makes
   * an apply that starts the machine wait for one, at most `timeouts.agent`: for IPv4, where a network says `ipv4`. While
   * the guest's agent is silent they are those that were last known, and the plan warns of that.
   */
  get ipAddresses(): string[] {
    return this.dynamic('ipAddresses', () => this.facts.list('ipAddresses'));
  }

  /**
   * The static address of the first network when the program gives one, also while a change of it waits for a restart
   * (`restartRequired`; `ipAddresses` are what the guest has). Else the guest's first IPv4 address, or its first address.
   * In that case it is waited for, and told, as `ipAddresses` are.
   */
  get primaryIpAddress(): string {
    const said = firstStaticAddress(this.wanted.fields());
    if (said !== undefined) return said;
    const first = (json: string): string =>
      `try([for ip in ${json} : ip if length(regexall(":", ip)) == 0][0], ${json}[0], null)`;
    return this.dynamic('primaryIpAddress', () =>
      Token.asString(this.facts.expression(first, 'ipAddresses', '[]')),
    );
  }

  /** The MAC address of the network of this name: that of the program, else the one that was assigned. */
  macAddress(network: string): string {
    const card = networkNamed(this.wanted.fields(), network);
    if (typeof card === 'string') throw SpecError.at(this, card);
    const of = (json: string): string => `lookup(${json}, ${JSON.stringify(network)}, null)`;
    return (
      this.said(() => saidText(card?.macAddress)) ??
      Token.asString(this.facts.expression(of, 'macAddresses', '{}'))
    );
  }

  /** The MAC addresses by the names of the networks. */
  get macAddresses(): Record<string, string> {
    return Token.asStringMap(this.facts.value('macAddresses', '', '{}'));
  }

  /** The disks by their names: `slot`, `volume`, and `size` in bytes. */
  get disks(): IResolvable {
    return this.facts.value('disks', '', '{}');
  }

  /** True while a change waits for a restart. */
  get restartRequired(): IResolvable {
    return this.facts.boolean('restartRequired');
  }

  /** What waits for a restart: a list of `field`, `from` and `to`. */
  get pendingChanges(): IResolvable {
    return this.facts.value('pendingChanges', '', '[]');
  }

  /** Where the console opens in a browser, for who may use it. */
  get consoleUrl(): string {
    return this.facts.text('consoleUrl');
  }

  /**
   * Statements about the machine: a list of `type`, `status`, `reason` and `message`. One of them is about its network,
   * so reading them makes an apply that starts the machine wait for an address: they would change at the next plan.
   */
  get conditions(): IResolvable {
    if (whyNoAddress(this.wanted.fields()) === undefined) this.wanted.needsAddress();
    return this.facts.value('conditions', '', '[]');
  }

  /** Its snapshots: a list of `name`, and `parent`, `description`, `includesMemory` where there are such. */
  get snapshots(): IResolvable {
    return this.facts.value('snapshots', '', '[]');
  }

  /** What the program says, and what is so once it is applied: undefined where the machine is not made as it says. */
  private said<T>(read: (fields: Readonly<Record<string, unknown>>) => T): T | undefined {
    const fields = this.wanted.fields();
    return (fields.mode ?? 'reconcile') === 'reconcile' ? read(fields) : undefined;
  }

  /** What only the running guest knows. */
  private dynamic<T>(output: string, read: () => T): T {
    const why = whyNoAddress(this.wanted.fields());
    if (why !== undefined) {
      throw SpecError.at(
        this,
        `${output}: the guest never tells an address, as ${why}. Change that, or give the first network a static address and read primaryIpAddress.`,
      );
    }
    this.wanted.addressIsRead();
    this.facts.require(ADDRESSES);
    return read();
  }
}
