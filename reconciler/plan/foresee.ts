import type { MachineSpec } from '../../spec';
import type { Action } from '../action';
import type { Configuration } from '../guest/configuration';
import { planGuest } from './guest';
import type { ObservedCluster, ObservedGuest } from '../observed';
import type { PlanContext } from '../machine/plan-context';
import { isDriveKey } from '../guest/key-kinds';

/**
 * A clone as it will be, and what a run does after it stands: planned like any round, on the guest that the source will yield. Of a source
 * that was not read everything is expected to differ.
 */
export function foresee(
  spec: MachineSpec,
  clone: Extract<Action, { kind: 'clone' }>,
  source: Configuration | undefined,
  cluster: ObservedCluster,
  context: PlanContext,
): { config: Configuration; actions: Action[] } {
  const config = source === undefined ? {} : clonedConfig(source, clone, spec.name ?? spec.id);
  const guest: ObservedGuest = {
    vmid: clone.vmid,
    node: clone.node,
    digest: '',
    current: config,
    pending: {},
    power: 'stopped',
    lock: undefined,
    pool: spec.pool,
    haManaged: false,
    template: false,
    description: '',
    mark: undefined,
  };
  return { config, actions: planGuest(spec, guest, 'cloned', cluster, context).actions };
}

const NOT_COPIED = /^(?:template|lock|parent|digest|unused\d+)$/;

function clonedConfig(
  source: Configuration,
  { params }: Extract<Action, { kind: 'clone' }>,
  name: string,
): Configuration {
  const copied = Object.entries(source).filter(([key]) => !NOT_COPIED.test(key));
  const { storage } = params;
  const moved = copied.map(([key, text]): [string, string] =>
    storage !== undefined && isDriveKey(key)
      ? [key, text.replace(/^[^:,]+:/, `${String(storage)}:`)]
      : [key, text],
  );
  return { ...Object.fromEntries(moved), name };
}
