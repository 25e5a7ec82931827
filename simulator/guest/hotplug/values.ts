import { parsePropertyString } from '../../schema/property-string';
import { configFormat } from '../keys/schema';
import type { Plugging } from './plugging';

/** CPU and memory hot-plugging itself is chosen at the start. */
export function changeFeatures({ guest }: Plugging, _key: string, value: string): string | undefined {
  const now = guest.config['hotplug'] ?? '';
  const fixed = ['memory', 'cpu'].some(feature => value.includes(feature) || now.includes(feature));
  return fixed ? undefined : value;
}

/** The balloon device itself comes and goes only at the start; its size changes at once. */
export function changeBalloon({ guest }: Plugging, _key: string, value: string): string | undefined {
  const enabled = (text: string | undefined): boolean => text !== '0';
  return enabled(guest.config['balloon']) === enabled(value) ? value : undefined;
}

export function resetBalloon({ guest }: Plugging): boolean {
  return guest.config['balloon'] !== '0';
}

/** Of the agent's settings only the trimming of cloned disks changes at once. */
export function changeAgent({ guest }: Plugging, key: string, value: string): string | undefined {
  const now = guest.config[key];
  if (now === undefined) return undefined;
  const [old, wanted] = [agentOf(now), agentOf(value)];
  const options = Object.keys({ ...old, ...wanted }).filter(option => option !== 'fstrim_cloned_disks');
  return options.every(option => old[option] === wanted[option]) ? value : undefined;
}

/** The agent's settings; none when it is off. */
function agentOf(text: string): Record<string, string> {
  const values = parsePropertyString(configFormat('agent') ?? '', text);
  return values['enabled'] === '1' ? values : {};
}
