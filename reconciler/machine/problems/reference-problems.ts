import { bridgeOf } from '../../../spec';
import type { ObservedNode } from '../../observed';
import { propertiesOf } from '../../guest/configuration';
import { defaultStorage } from '../default-storage';
import { readDrive } from '../../guest/drive';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** Bridges and storages that a change needs and the node does not have. Nothing is said about what is there and stays. */
export function referenceProblems(scene: Scene, node: ObservedNode): Problem[] {
  return [bridges, storages, allocations, formats].flatMap(problems => problems(scene, node));
}

function bridges({ spec, slots, running, context }: Scene, node: ObservedNode): Problem[] {
  return (spec.networks ?? []).flatMap(network => {
    const slot = slots.networks[network.name];
    const bridge = bridgeOf(network, context.clusterSpec);
    const there = slot === undefined ? undefined : propertiesOf('net0', running[slot]).bridge;
    if (bridge === undefined || bridge === there || !node.bridges || node.bridges.includes(bridge)) return [];
    const field = `networks[${network.name}].bridge`;
    const from = String(there ?? '') || undefined;
    return [missing('bridge', { field, from, to: bridge }, { name: node.name, known: node.bridges })];
  });
}

function storages({ spec, slots, next }: Scene, node: ObservedNode): Problem[] {
  const said = [
    ...(spec.disks ?? []).map(disk => ({
      ...disk,
      field: `disks[${disk.name}]`,
      slot: slots.disks[disk.name],
    })),
    { field: 'efiDisk', slot: 'efidisk0', storage: spec.efiDisk?.storage },
    { field: 'tpm', slot: 'tpmstate0', storage: spec.tpm?.storage },
  ];
  const known = node.storages?.filter(({ active }) => active).map(({ name }) => name);
  return said.flatMap(({ field, slot, storage }) => {
    const there = readDrive(next[slot ?? '']).storage;
    if (storage === undefined || storage === there || !known) return [];
    if (!known.includes(storage))
      return [
        missing(
          'storage',
          { field: `${field}.storage`, from: there, to: storage },
          { name: node.name, known },
        ),
      ];
    const able = node.storages?.filter(({ active, content }) => active && content.includes('images')) ?? [];
    const names = able.map(({ name }) => name);
    return names.includes(storage) ? [] : [unable(`${field}.storage`, storage, node.name, names)];
  });
}

function unable(field: string, storage: string, node: string, able: string[]): Problem {
  return {
    field,
    to: storage,
    why: 'storage-content',
    detail: `storage '${storage}' on node ${node} takes no disks; these do: ${able.join(', ') || 'none'}.`,
    remedy: `Name one of these in ${field}, or add "images" to the content of '${storage}'.`,
  };
}

/** Which storages cannot do it: PVE has no such choice per disk, it lies in the kind of storage. */
const UNABLE: Readonly<Record<'thin' | 'thick', RegExp>> = {
  thin: /^lvm$/,
  thick: /^(?:lvmthin|rbd|dir|nfs|cifs|glusterfs|cephfs|btrfs)$/,
};

function allocations(scene: Scene, node: ObservedNode): Problem[] {
  return (scene.spec.disks ?? []).flatMap(({ name, allocation, existingVolume, ...disk }) => {
    const { storage = defaultStorage(scene) } = disk;
    const type = node.storages?.find(known => known.name === storage)?.type;
    const isNew = existingVolume === undefined && scene.running[scene.slots.disks[name] ?? ''] === undefined;
    if (!isNew || allocation === undefined || type === undefined || !UNABLE[allocation].test(type)) return [];
    const detail = `Disk "${name}" is to be ${allocation}, which storage '${storage}' (${type}) cannot do.`;
    const remedy = 'Name another storage, or remove allocation.';
    return [{ field: `disks[${name}].allocation`, to: allocation, why: 'allocation', detail, remedy }];
  });
}

/** Storages that keep no files: a disk is raw there (LVM's snapshots as volumes in PVE 9 are not reconciled). */
const BLOCK = /^(?:lvm|lvmthin|zfspool|rbd|iscsi|iscsidirect|zfs)$/;

function formats(scene: Scene, node: ObservedNode): Problem[] {
  const { spec, slots, running } = scene;
  return (spec.disks ?? []).flatMap(({ name, storage, format, existingVolume }) => {
    const text = running[slots.disks[name] ?? ''];
    const there = text === undefined ? undefined : readDrive(text);
    // an existing volume stays as it is, where it is
    const target = storage ?? there?.storage ?? (existingVolume ? undefined : defaultStorage(scene));
    const type = node.storages?.find(known => known.name === target)?.type;
    const isKept = format === undefined || format === 'raw' || format === there?.format;
    if (isKept || target === undefined || type === undefined || !BLOCK.test(type)) return [];
    const detail = `Disk "${name}" is to be ${format}, and storage '${target}' (${type}) keeps raw disks only.`;
    const remedy = 'Name another storage, or set format to "raw".';
    const from = there?.format;
    return [{ field: `disks[${name}].format`, from, to: format, why: 'disk-format', detail, remedy }];
  });
}

function missing(
  kind: 'bridge' | 'storage',
  { field, from, to }: { field: string; from: string | undefined; to: string },
  { name: node, known }: { name: string; known: readonly string[] },
): Problem {
  return {
    field,
    from,
    to,
    why: `${kind}-not-found`,
    detail: `${kind} '${to}' not found on node ${node}, which has ${known.join(', ') || 'none'}.`,
    remedy: `Name one of these in ${field}, or make it on the node.`,
    ...(kind === 'bridge' && { cause: { about: kind, facts: { bridge: to, node } } }),
  };
}
