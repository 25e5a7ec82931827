import type { Construct } from 'constructs';
import { parseMachine, resolveMachine } from '../../spec';
import type { MachineClass } from '../machine-class';
import { checked } from './checked';
import type { Cluster } from './cluster';
import { literalOnly } from './literal-only';
import type { Member } from './member';
import { readsManaged } from './reads-managed';
import type { Taken } from './tokens';

/** What a program wants of one machine: checked when it is made, with its class and its cluster's defaults in it. */
export class WantedMachine implements Member {
  readonly path: string;
  readonly id: string;
  readonly formerIds: readonly string[];
  private readonly said: Taken;
  private managed: boolean | undefined;
  private waits = false;

  constructor(
    construct: Construct,
    private readonly cluster: Cluster,
    fields: Readonly<Record<string, unknown>> & {
      readonly id: string;
      readonly formerIds?: readonly string[];
    },
    machineClass?: MachineClass,
  ) {
    this.path = construct.node.path;
    this.id = literalOnly(construct, 'id', fields.id);
    this.formerIds = literalOnly(construct, 'formerIds', fields.formerIds ?? []);
    const whole = resolveMachine({ ...fields }, machineClass?.spec, { ...cluster.defaults });
    this.said = checked(this.path, whole, json => parseMachine(json, cluster.spec()));
  }

  spec(): Taken {
    const { json, tokens } = this.said;
    const unset = typeof json === 'object' && json !== null && !('waitFor' in json);
    return this.waits && unset ? { json: { ...json, waitFor: 'address' }, tokens } : this.said;
  }

  readsManaged(): boolean {
    this.managed ??= readsManaged(this.cluster.stack, this.said.tokens);
    return this.managed;
  }

  /** Somebody reads an address that only the guest knows: creating it waits for one. */
  needsAddress(): void {
    this.waits = true;
  }
}
