import type { Simulator } from '../../../simulator';
import { ask } from '../cluster/ask';

/** What a guest is, as Proxmox tells it to everybody. */
export interface Shown {
  config: Record<string, unknown>;
  /** When it was started; undefined where it is off. */
  since: unknown;
}

/** Every guest that is no template, by its number. */
export async function shownGuests(simulator: Simulator): Promise<Record<string, Shown>> {
  const guests = Object.values(simulator.world.guests).filter(
    ({ config, type }) => config['template'] !== '1' && type === 'qemu',
  );
  const shown = guests.map(async ({ vmid, node, running }) => {
    const { data } = await ask(simulator, 'GET', `/nodes/${node}/qemu/${vmid}/config`);
    return [String(vmid), { config: data as Record<string, unknown>, since: running?.since }] as const;
  });
  return Object.fromEntries(await Promise.all(shown));
}

const MARK = /\n?<!-- pvr:.*-->\n?$/;

/** How guests differ from what they were, but for our tag, our mark, and a uuid where there was none: a line each. */
export function unlike(before: Record<string, Shown>, after: Record<string, Shown>): string[] {
  const vmids = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return vmids.flatMap(vmid => {
    const [was, is] = [before[vmid], after[vmid]];
    if (was === undefined || is === undefined) return [`${vmid} ${was ? 'is gone' : 'is new'}`];
    const keys = [...new Set([...Object.keys(was.config), ...Object.keys(is.config)])];
    const changed = keys.filter(key => read(key, was, is) !== read(key, is, was));
    return [
      ...changed.map(key => `${vmid} ${key}: ${String(was.config[key])} became ${String(is.config[key])}`),
      ...(was.since === is.since ? [] : [`${vmid} was started anew`]),
    ];
  });
}

/** A value without what adoption writes. */
function read(key: string, { config }: Shown, other: Shown): unknown {
  const text = String(config[key] ?? '');
  if (key === 'digest') return '';
  if (key === 'tags') return tagsOf(text);
  if (key === 'description') return text.replace(MARK, '').trimEnd();
  if (key !== 'smbios1') return config[key];
  const hadNone = !String(other.config[key] ?? '').includes('uuid=');
  return hadNone ? text.replace(/,?uuid=[^,]*/, '') : text;
}

const tagsOf = (text: string): string =>
  text
    .split(';')
    .filter(tag => tag !== '' && !tag.startsWith('pvr-'))
    .join(';');
