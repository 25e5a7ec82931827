import * as z from 'zod';
import { InputError } from '../errors';
import { readJson } from './read-json';

/** The ids that a machine had before, as PROXMOX_FORMER says them. */
export function formerIdsOf(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const ids = z.array(z.string()).safeParse(readJson(text, 'PROXMOX_FORMER'));
  if (!ids.success)
    throw new InputError('PROXMOX_FORMER is no JSON list of ids. Synthesize the stack again.');
  return ids.data;
}
