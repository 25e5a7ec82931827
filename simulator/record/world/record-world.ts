import { loadWorld } from '../../world-file/load';
import { RecordFailure } from '../failure';
import { isRow, rowOf, textOf } from '../shape';
import type { Row } from '../shape';
import { readAccess } from './access';
import { devicesOf } from './devices';
import { readGuests } from './guests';
import { addMissingBridges, addMissingVolumes } from './missing-volumes';
import { readNodes } from './nodes';
import { readOptions } from './options';
import { readHa, readPools } from './pools-and-ha';
import { tellMissingRights } from './rights';
import type { Source } from './source';
import { readStorages, readVolumes } from './storages';

/** A world file of a cluster, made by reading only. Fails when the cluster cannot be read at all. */
export async function recordWorld(source: Source): Promise<Row> {
  const version = rowOf(await source.reader.get('/version'));
  await tellMissingRights(source);
  const { cluster, nodes } = await readNodes(source);
  if (nodes.length === 0) {
    const [first] = source.reader.unread;
    const why = first ? ` (${first.path}: ${first.why})` : '';
    throw new RecordFailure(
      `the server names no nodes, so there is nothing to record${why}. Nothing was written.`,
    );
  }
  const storages = await readStorages(source, nodes);
  const volumes = unique(await readVolumes(source, nodes, storages));
  const guests = await readGuests(source, nodes);
  addMissingVolumes(source, guests, storages, volumes);
  addMissingBridges(
    guests,
    nodes.map(({ fields }) => fields),
  );
  const devices = devicesOf(source, guests);
  const told = versionOf(version);
  const world = {
    note: 'Recorded. Look through it before you hand it on.',
    version: told,
    ...(devices && { devices }),
    cluster,
    nodes: nodes.map(({ fields }) => fields),
    storages: storages.map(({ fields }) => fields),
    volumes: volumes.sort((one, other) => order(one, other, 'volid') || order(one, other, 'node')),
    ...(await readAccess(source)),
    guests: guests.sort((one, other) => Number(one['vmid']) - Number(other['vmid'])),
    pools: await readPools(source, guests, storages),
    ha: await readHa(source, guests, Number.parseInt(told.release, 10) < 9),
    datacenter_cfg: await readOptions(source),
  };
  const steady = Object.fromEntries(Object.entries(world).map(([key, value]) => [key, sorted(value)]));
  check(steady);
  return steady;
}

function versionOf(version: Row): { release: string; version: string } {
  const [release, full] = [textOf(version['release']), textOf(version['version'])];
  const plain = /^[\w.~+-]{1,40}$/;
  return release !== undefined && full !== undefined && plain.test(release) && plain.test(full)
    ? { release, version: full }
    : { release: '9.2', version: '9.2.11' };
}

function unique(volumes: Row[]): Row[] {
  return [
    ...new Map(
      volumes.map(volume => [`${String(volume['node'])} ${String(volume['volid'])}`, volume]),
    ).values(),
  ];
}

/** Proxmox gives the fields of an object in any order; two files of one cluster are alike. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRow(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

function order(one: Row, other: Row, key: string): number {
  const [left, right] = [String(one[key]), String(other[key])];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** A file that does not load helps nobody. */
function check(world: Row): void {
  try {
    loadWorld(structuredClone(world));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new RecordFailure(
      `what the server answered makes no world that can be loaded: ${why}. Nothing was written; running again is safe.`,
    );
  }
}
