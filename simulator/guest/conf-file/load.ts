import { createHash } from 'node:crypto';
import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Config, Guest } from '../../world';
import { confText } from './text';
import { configProperty } from '../keys/schema';

/** The virtual machine with this id on this node. A container, or a guest of another node, is not there. */
export function loadGuest(sim: Sim, node: string, vmid: number): Guest {
  const guest = sim.world.guests[vmid];
  if (guest?.type === 'qemu' && guest.node === node) return guest;
  return fail(`Configuration file 'nodes/${node}/qemu-server/${vmid}.conf' does not exist`);
}

/** The digest of the configuration file: equal content, equal digest. */
export function digestOf(guest: Guest): string {
  return createHash('sha1').update(confText(guest)).digest('hex');
}

/** Fails when the caller's digest is not the present one. Without a digest nothing is checked. */
export function checkDigest(guest: Guest, digest: string | undefined): void {
  if (digest === undefined || digest === '' || digest === digestOf(guest)) return;
  fail('checksum mismatch (file change by other user?)');
}

/** Fails while a lock stands in the configuration. */
export function checkLock(guest: Guest): void {
  const lock = guest.config['lock'];
  if (lock !== undefined) fail(`VM is locked (${lock})`);
}

/** A value as the API shows it: whole numbers and booleans as numbers, everything else as text. */
export function typedValue(key: string, raw: string): string | number {
  const type = configProperty(key)?.type;
  return type === 'integer' || type === 'boolean' ? Number(raw) : raw;
}

/** What a key shows to people: the password is never told. */
export function shownValue(key: string, raw: string): string | number {
  return key === 'cipassword' ? '**********' : typedValue(key, raw);
}

/** What GET config answers: the values with the pending ones applied; `current`: as they are now. */
export function configAnswer(guest: Guest, current = false): Record<string, string | number> {
  const values: Config = current ? guest.config : { ...guest.config, ...guest.pending };
  const gone = current ? {} : guest.pendingDelete;
  const shown = Object.entries(values).flatMap(([key, raw]) =>
    // Perl's false values survive the deletion in this view
    key in gone && raw !== '0' ? [] : [[key, shownValue(key, raw)]],
  );
  return { ...Object.fromEntries(shown), digest: digestOf(guest) };
}
