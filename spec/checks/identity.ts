import type { MachineSpec } from '../machine/machine';
import { placementFindings } from './neighbours';
import { under, type Finding } from '../reading/problem';

/** PVE keeps so many characters of a description (behaviour.md §4). */
export const DESCRIPTION_LIMIT = 8192;
/** Our mark, the last line of a description, takes at most so many. */
export const MARK_LIMIT = 1536;
const FREE = DESCRIPTION_LIMIT - MARK_LIMIT - 1;

/** Who a machine is, where it stays, and what may be done to it. */
export function* identityFindings(machine: MachineSpec): Iterable<Finding> {
  const { id, formerIds, name, adopt, vmid } = machine;
  if (name === undefined && id.endsWith('-')) {
    yield {
      path: ['name'],
      reason: `is required, as the id "${id}" is no DNS label`,
      remedy: 'Give a name.',
    };
  }
  if (formerIds?.includes(id) === true) {
    yield {
      path: ['formerIds'],
      given: id,
      reason: 'is the id of today',
      remedy: 'Leave only ids of the past.',
    };
  }
  if (adopt === true && vmid === undefined) {
    yield {
      path: ['vmid'],
      kind: 'missing',
      reason: 'is required, as adopt is true',
      remedy: 'Give the vmid of the guest to take over.',
    };
  }
  yield* descriptionFindings(machine);
  yield* placeFindings(machine);
  yield* rebuildFindings(machine);
  yield* templateFindings(machine);
}

/** A template does not run and has no snapshots; Proxmox renames its volumes, so that none may be another guest's. */
function* templateFindings({ asTemplate, ...machine }: MachineSpec): Iterable<Finding> {
  if (asTemplate !== true) return;
  const { power, waitFor, adopt, revertTo, ha, snapshotBeforeChange, disks = [] } = machine;
  const said = [
    { field: 'power', isWrong: power !== undefined && power !== 'stopped' },
    { field: 'waitFor', isWrong: waitFor !== undefined && waitFor !== 'nothing' },
    { field: 'adopt', isWrong: adopt === true },
    { field: 'revertTo', isWrong: revertTo !== undefined },
    { field: 'ha', isWrong: ha !== undefined },
    {
      field: 'snapshotBeforeChange',
      isWrong: snapshotBeforeChange !== undefined && snapshotBeforeChange !== false,
    },
    { field: 'disks', isWrong: disks.some(({ existingVolume }) => existingVolume !== undefined) },
  ];
  for (const { field } of said.filter(({ isWrong }) => isWrong)) {
    yield {
      path: [field],
      reason:
        field === 'disks'
          ? 'has an existingVolume, which a template cannot have'
          : 'means nothing for a template',
      remedy: 'Remove it, or remove asTemplate.',
    };
  }
}

function* placeFindings({ node, pin, placement }: MachineSpec): Iterable<Finding> {
  if (pin === true && node === undefined) {
    yield {
      path: ['node'],
      kind: 'missing',
      reason: 'is required, as pin is true',
      remedy: 'Name the node to stay on, or remove pin.',
    };
  }
  if (node !== undefined && placement?.nodes !== undefined && !placement.nodes.includes(node)) {
    yield {
      path: ['node'],
      reason: 'is not among placement.nodes',
      allowed: placement.nodes.join(', '),
      remedy: 'Name one of them, or add the node to placement.nodes.',
    };
  }
  yield* under(['placement'], placementFindings(placement ?? {}));
}

/** What may destroy the machine, beside what forbids that. The values may come of its cluster or class. */
function* rebuildFindings({ protection, rebuildOn = [], onImageChange }: MachineSpec): Iterable<Finding> {
  const reason = 'allows to destroy the machine, which protection forbids';
  if (protection === true && rebuildOn.length > 0) {
    yield { path: ['rebuildOn'], reason, remedy: 'Remove rebuildOn, or set protection to false.' };
  }
  if (protection === true && onImageChange === 'rebuild') {
    const remedy = 'Set it to "keep" or "refuse", or set protection to false.';
    yield { path: ['onImageChange'], given: onImageChange, reason, remedy };
  }
  const isContradicted = onImageChange === 'keep' || onImageChange === 'refuse';
  if (isContradicted && rebuildOn.includes('image')) {
    yield {
      path: ['onImageChange'],
      given: onImageChange,
      reason: `contradicts rebuildOn (${rebuildOn.join(', ')}), by which another image makes the machine anew`,
      remedy: 'Remove "image" from rebuildOn, or set onImageChange to "rebuild".',
    };
  }
}

function* descriptionFindings({ description }: MachineSpec): Iterable<Finding> {
  // PVE counts characters (behaviour.md §14.7); so does the spread below, not UTF-16 units.
  const characters = description === undefined ? 0 : [...description].length;
  if (characters > FREE) {
    yield {
      path: ['description'],
      reason: `has ${characters} characters; with our mark it must fit ${DESCRIPTION_LIMIT}`,
      allowed: `at most ${FREE} characters`,
      remedy: `Shorten it by ${characters - FREE}.`,
    };
  }
  if (description?.includes('<!-- pvr:') === true) {
    yield {
      path: ['description'],
      reason: 'holds a mark',
      remedy: 'Remove the line that begins with "<!-- pvr:".',
    };
  }
}
