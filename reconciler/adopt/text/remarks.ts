import { blocksOf, type Block } from '../alike/blocks';
import type { Program } from '../program';

/**
 * Comments beside a machine: what the guest has and its program does not say, and what the program has from another tool's
 * state. Text of others may hold anything: none of it ends the comment.
 */
export function remarks(
  mark: string,
  { json, unmanaged, fromState = [] }: Pick<Program['machines'][number], 'json' | 'unmanaged' | 'fromState'>,
): string[] {
  const named = (says: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`${mark} ${says}: ${commentOf(names.join(', '))}.`];
  return [
    ...named('Not managed, and left as it is', unmanaged),
    ...named(
      'From the state, not from Proxmox',
      fromState.filter(field => Object.hasOwn(json, field)),
    ),
  ];
}

/** Machines as blocks of those that are alike, each with its remarks. `mark`: what begins a comment. */
export function remarkedBlocks(mark: string, machines: Program['machines']): Block[] {
  return blocksOf(machines.map(machine => ({ json: machine.json, beside: remarks(mark, machine) })));
}

/** A text as it may stand in a comment of one line. */
export function commentOf(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
