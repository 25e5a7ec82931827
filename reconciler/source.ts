import type { MachineSpec } from '../spec';
import type { ListedGuest } from './observed';

export interface Why {
  why: string;
  detail: string;
  remedy: string;
}

/** The guests that an image names: one, or its replicas on several nodes. None for images that are no guest. */
export function sourceCandidates(spec: MachineSpec, guests: ListedGuest[]): { guests: ListedGuest[] } | Why {
  const wanted = spec.image?.template;
  if (wanted === undefined) return { guests: [] };
  const matches = guests.filter(guest => guest.type === 'qemu' && names(guest, wanted));
  const known = typeof wanted === 'object' ? `tag ${wanted.tag}` : String(wanted);
  if (matches.length === 0) return missing(known, guests);
  const nodes = matches.map(({ node }) => node);
  const twice = nodes.find((node, index) => nodes.indexOf(node) !== index);
  if (twice === undefined) return { guests: matches };
  const candidates = matches.map(({ vmid, node }) => `${vmid} on ${node}`).join(', ');
  return {
    why: 'ambiguous-template',
    detail: `template '${known}' is ambiguous: ${candidates}.`,
    remedy: 'Give its vmid. Nothing was changed.',
  };
}

function names(
  guest: ListedGuest,
  wanted: NonNullable<NonNullable<MachineSpec['image']>['template']>,
): boolean {
  if (typeof wanted === 'number') return guest.vmid === wanted;
  if (typeof wanted === 'string') return guest.template && guest.name === wanted;
  return guest.template && guest.tags.includes(wanted.tag);
}

function missing(known: string, guests: ListedGuest[]): Why {
  const templates = guests.filter(({ template }) => template);
  const there = templates.map(({ name, vmid, node }) => `${name ?? '?'} (${vmid} on ${node})`).join(', ');
  return {
    why: 'no-template',
    detail: `template '${known}' not found. The cluster has: ${there || 'no template that you may see'}.`,
    remedy: 'Name one of them, or grant VM.Audit on the one you mean. Nothing was changed.',
  };
}
