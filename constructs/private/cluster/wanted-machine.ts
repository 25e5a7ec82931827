import { Token } from 'cdktf';
import type { Construct } from 'constructs';
import { ImageSpec, parseMachine, resolveMachine, sourceIds, type MachineClass } from '../../../spec';
import { SpecError } from '../../values/spec-error';
import { refuseSource } from './refuse-source';
import { checkedProps } from '../checked-props';
import type { Cluster } from './cluster';
import { literalOnly } from '../tokens/literal-only';
import type { Member } from '../calls/machine-view';
import { readsManaged } from '../tokens/reads-managed';
import { checkLimit } from '../tokens/spec-limit';
import { putBack, type Taken } from '../tokens/tokens';

/** What a program wants of one machine: checked when it is made, with its class and its cluster's defaults in it, unless it is bare. */
export class WantedMachine implements Member {
  readonly path: string;
  readonly id: string;
  readonly formerIds: readonly string[];
  readonly sources: readonly string[];
  private readonly said: Taken;
  private managed: boolean | undefined;
  private waits = false;
  private isAddressRead = false;

  constructor(
    construct: Construct,
    private readonly cluster: Cluster,
    fields: Readonly<Record<string, unknown>> & {
      readonly id: string;
      readonly formerIds?: readonly string[];
    },
    machineClass?: MachineClass | 'bare',
  ) {
    this.path = construct.node.path;
    this.id = literalOnly(construct, 'id', fields.id);
    this.formerIds = literalOnly(construct, 'formerIds', fields.formerIds ?? []);
    const whole =
      machineClass === 'bare' ? fields : resolveMachine({ ...fields }, machineClass, { ...cluster.defaults });
    refuseSource(construct, cluster.scope, whole['image']);
    this.said = checkedProps(this.path, whole, json => parseMachine(json, cluster.spec()));
    checkLimit(this.path, this.said);
    this.sources = sourcesIn(whole['image']);
    if (whole.image === undefined && (whole.adopt === undefined || whole.adopt === false)) {
      throw new SpecError(
        this.path,
        `image: the machine '${this.id}' has none, so there is nothing to make it from; allowed: an Image, or "adopt" with "vmid" for a guest that exists. Give one, such as image: Image.fromTemplate("debian-13"), or Image.blank() for empty disks.`,
      );
    }
  }

  spec(): Taken {
    const { json, tokens } = this.said;
    const unset = typeof json === 'object' && json !== null && !('waitFor' in json);
    return this.waits && unset ? { json: { ...json, waitFor: 'address' }, tokens } : this.said;
  }

  /** Everything that is said of it, with the tokens where they stood. */
  fields(): Readonly<Record<string, unknown>> {
    const whole = putBack(this.said, token => token);
    return typeof whole === 'object' && whole !== null ? { ...whole } : {};
  }

  readsManaged(): boolean {
    this.managed ??= readsManaged(this.cluster.stack, this.said.tokens);
    return this.managed;
  }

  /** Somebody reads what waits for an address: whoever starts it waits for one, and goes on without. */
  needsAddress(): void {
    this.waits = true;
  }

  /** Somebody reads an address that only the guest knows: without one an apply fails. */
  addressIsRead(): void {
    this.needsAddress();
    this.isAddressRead = true;
  }

  readsAddress(): boolean {
    return this.isAddressRead;
  }
}

const NAMED = ImageSpec.pick({ machine: true, replicas: true }).strip();

/** The machines that an image names. A value of Terraform names none that is known. */
function sourcesIn(image: unknown): string[] {
  const said: unknown = JSON.parse(JSON.stringify(image ?? null));
  const named = NAMED.safeParse(said);
  return named.success ? sourceIds(named.data).filter(id => !Token.isUnresolved(id)) : [];
}
