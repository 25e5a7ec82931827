import { milliseconds } from '../../../spec';
import type { Part } from '../scene';
import { wantsFrom, type FieldTable } from '../want';

export const AGENT: FieldTable = {
  enabled: 'agent.enabled',
  type: 'agent.type',
  fstrimClonedDisks: 'agent.fstrim_cloned_disks',
  freezeFs: 'agent.freeze-fs-on-backup',
};

/** The guest agent. PVE needs `enabled` in its string, so naming any other property means that it is on. */
export const agent: Part = ({ spec: { agent: said } }) => {
  if (said === undefined) return [];
  if (typeof said === 'boolean') return [{ field: 'agent', key: 'agent', property: 'enabled', value: said }];
  return wantsFrom('agent.', AGENT, { ...said, enabled: said.enabled ?? true });
};

export const STARTUP: FieldTable = { order: 'startup.order', up: 'startup.up', down: 'startup.down' };

/** Order and pauses of starting with the node. PVE counts in seconds. */
export const startup: Part = ({ spec: { startup: said = {} } }) =>
  wantsFrom('startup.', STARTUP, { order: said.order, up: seconds(said.up), down: seconds(said.down) });

function seconds(duration: string | undefined): number | undefined {
  return duration === undefined ? undefined : milliseconds(duration) / 1000;
}
