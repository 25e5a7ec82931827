import type { Action, Warning } from '../action';
import { propertiesOf } from '../guest/configuration';
import { costOn } from '../machine/effect';
import type { Scene } from '../machine/scene';
import type { ObservedGuest } from '../observed';

/** PVE: what else changes of a card is changed while it stays plugged in (behaviour.md §4). */
const PLUGGED_AGAIN = ['model', 'macaddr', 'queues', 'mtu'];

/** The cards that a running guest loses for a moment: a live change, and yet felt. */
export function repluggedCards(
  { slots, current }: Scene,
  { power }: ObservedGuest,
  actions: readonly Action[],
): Warning[] {
  if (power !== 'running') return [];
  const costOf = costOn(current, true);
  const writes = actions.flatMap(action => (action.kind === 'configure' ? [action.set] : []));
  return Object.entries(slots.networks).flatMap(([name, slot]) => {
    const old = propertiesOf(slot, current[slot]);
    const isReplugged = writes.some(({ [slot]: text }) => {
      if (text === undefined || current[slot] === undefined || costOf(slot, text) !== 'live') return false;
      const next = propertiesOf(slot, text);
      return PLUGGED_AGAIN.some(property => old[property] !== next[property]);
    });
    if (!isReplugged) return [];
    const text = `card ${name} is unplugged and plugged in again while the guest runs: its connections over it break off.`;
    return [{ about: `card ${name} plugged again`, text }];
  });
}
