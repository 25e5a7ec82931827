import type { OwnedGuest, Remains } from '../../adopt/owned-guests';
import { RefusedError } from '../../errors';
import { oneLine, visibleTexts } from '../../report/visible';

/** A machine that is to be released, and what became of that, by the names of the JSON. */
export interface Leaving extends Remains {
  owner: string;
  machine: string;
  vmid: number;
  node: string;
  name?: string;
  isTemplate: boolean;
  /** A Terraform state has an entry for it. */
  isHeld: boolean;
  /** A run was cut short while it restarted the guest. */
  isRestarting: boolean;
  /** `may-go`: nobody asked for it yet. */
  fate: 'may-go' | 'released' | 'refused' | 'failed';
  /** Why it was refused, or failed. */
  why?: string;
}

/** What is told of a guest that may be released. */
export function leavingOf({ listed, mark, remains }: OwnedGuest): Leaving {
  const { vmid, node, name, template } = listed;
  return {
    ...{ owner: mark.owner, machine: mark.machine, vmid, node },
    ...(name !== undefined && { name }),
    isTemplate: template,
    isHeld: mark.entry !== undefined,
    isRestarting: mark.isRestarting === true,
    ...remains,
    fate: 'may-go',
  };
}

/** A machine that is to be released, and what of us stays, in one line. */
export function leavingLine(leaving: Leaving): string {
  const { owner, machine, vmid, node, name, isTemplate } = leaving;
  const kind = isTemplate ? 'template' : 'VM';
  const called = name === undefined ? '' : ` (${name})`;
  const needed = isTemplate ? 'Its linked clones still need it.' : '';
  const stays = staysOf(leaving);
  const left = stays.length === 0 ? '' : `What stays: ${stays.join('; ')}.`;
  const place = `${machine}: ${kind} ${vmid}${called} on ${node}, of ${owner}: its mark and its tag go.`;
  return oneLine([place, needed, left].filter(text => text !== '').join(' '));
}

function staysOf({ snapshots, hasSnapshots, isos, volumes, isUnread, isRestarting }: Leaving): string[] {
  const names = snapshots.map(({ name }) => name);
  return [
    ...named('our line in the description of its snapshots', names),
    ...(hasSnapshots ? ['our tag in its snapshots, which a rollback brings back'] : []),
    ...(isUnread ? ['our line in the description of its snapshots, which could not be read'] : []),
    ...named('the ISO with its cloud-init data, in use', isos),
    ...named('its unused volumes', volumes),
    ...(isRestarting ? ['it may be off, as a restart was cut short'] : []),
  ];
}

function named(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} (${names.join(', ')})`];
}

/** The machines and the refusals as JSON. */
export function leavingJson(machines: readonly Leaving[], errors: readonly unknown[]): string {
  const refusals = errors.flatMap(error => (error instanceof RefusedError ? error.refusals : []));
  const told = machines.map(({ snapshots, ...rest }) => ({
    ...rest,
    snapshots: snapshots.map(({ name }) => name),
  }));
  return JSON.stringify(visibleTexts({ machines: told, ...(refusals.length > 0 && { refusals }) }));
}
