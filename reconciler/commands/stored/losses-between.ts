import { isDeepStrictEqual } from 'node:util';
import type { MachineSpec } from '../../../spec';
import { saidAddresses, saysInstanceId } from '../../machine/data-iso/data-iso';
import { runOnce } from '../../machine/data-iso/run-once';
import { guardsKept } from '../../plan/snapshots/guard';

/**
 * What a machine loses for good where one spec of it follows another, as far as specs alone tell it: each in words that
 * follow its name. What a guest really has nobody asks here.
 */
export function lossesBetween(was: MachineSpec, is: MachineSpec): string[] {
  return [
    ...disksOf(was, is),
    ...revertOf(was, is),
    ...rebuildOf(was, is),
    ...guardsOf(was, is),
    ...dataOf(was, is),
  ];
}

/** Without the field no disk is managed: then none leaves. */
function disksOf({ disks = [] }: MachineSpec, { disks: wanted }: MachineSpec): string[] {
  if (wanted === undefined) return [];
  return disks
    .filter(({ name, onRemove }) => onRemove === 'delete' && !wanted.some(disk => disk.name === name))
    .map(({ name }) => `loses its disk ${name} with its volume (onRemove: delete)`);
}

function revertOf({ revertTo: before }: MachineSpec, { revertTo }: MachineSpec): string[] {
  if (revertTo === undefined || revertTo === before) return [];
  return [`goes back to snapshot ${revertTo.replace(/#.*/, '')}, and loses what its disks got since`];
}

/** Whether the guest is not so already, only a plan knows. */
function rebuildOf(was: MachineSpec, is: MachineSpec): string[] {
  const words = new Set<NonNullable<MachineSpec['rebuildOn']>[number]>(is.rebuildOn);
  if (is.onImageChange === 'rebuild') words.add('image');
  const fields = [...words].filter(word => is[word] !== undefined && !isDeepStrictEqual(was[word], is[word]));
  if (fields.length === 0) return [];
  return [`may be destroyed with its disks and made anew (${fields.join(', ')})`];
}

/** Those that are too many go with the next change; without the field they stay. */
function guardsOf(was: MachineSpec, is: MachineSpec): string[] {
  const [before = 0, after] = [guardsKept(was), guardsKept(is)];
  if (after === undefined || after >= before) return [];
  return [`loses its older snapshots from before changes (keep: ${after}, it was ${before})`];
}

/** As another instance a guest runs again what its cloud-init data says of disks. What a reference gives is not read here. */
function dataOf(was: MachineSpec, is: MachineSpec): string[] {
  const { cloudInit = {} } = is;
  if (isDeepStrictEqual(instanceOf(was), instanceOf(is)) || saysInstanceId(cloudInit.metaData)) return [];
  return runOnce(cloudInit).formats.map(
    name => `may lose what ${name} of its cloud-init data may write over`,
  );
}

/** What of a spec says which instance its guest is: not where the data are, nor what its cards are plugged into. */
function instanceOf({ cloudInit = {}, networks = [] }: MachineSpec): unknown {
  const { storage: _, ...said } = cloudInit;
  const isOwn = said.networkData !== undefined || said.networkDataFrom !== undefined;
  return [said, isOwn ? undefined : saidAddresses(networks)];
}
