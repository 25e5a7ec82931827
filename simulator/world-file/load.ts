import type { Config, Pool, World } from '../world';
import type { HaResource, HaRule } from '../world-ha';
import { findContradiction } from './contradiction';
import { configText, Fields, refuse } from './fields';
import { readAccess } from './read-access';
import { readGuest } from './read-guest';
import { readDownload, readNode, readStorage, readVolume } from './read-nodes';

/**
 * Reads a world file: the format of the recordings' `world.json`, and guests, pools and HA beside it.
 * Throws `WorldFileError` that says where and why for anything that it does not know or that contradicts itself.
 */
export function loadWorld(json: unknown): World {
  const top = new Fields(json, '');
  for (const remark of ['name', 'bridges_note', 'guests_boot', 'guest_behaviour', 'note']) top.raw(remark);
  const nodes = top.list('nodes', readNode);
  if (nodes.length === 0) refuse('nodes', nodes, 'at least one node');
  const world: World = {
    version: readVersion(top),
    cluster: readCluster(top),
    nodes: [...nodes.filter(node => node.local), ...nodes.filter(node => !node.local)].map(
      ({ local: _local, ...node }) => node,
    ),
    storages: top.list('storages', readStorage),
    volumes: top.list('volumes', readVolume),
    guests: Object.fromEntries(readUnique(top).map(guest => [guest.vmid, guest])),
    pools: Object.fromEntries(top.list('pools', readPool)),
    access: readAccess(top),
    ha: readHa(top),
    firewall: {},
    datacenter: top.map('datacenter_cfg', configText),
  };
  if (top.has('authority')) world.authority = top.text('authority');
  if (top.has('downloads')) world.downloads = top.map('downloads', readDownload);
  if (top.has('backupJobs')) world.backupJobs = readJobs(top, 'backupJobs');
  if (top.has('replicationJobs')) world.replicationJobs = readJobs(top, 'replicationJobs');
  if (top.has('devices')) world.devices = readDevices(top);
  top.end();
  findContradiction(world);
  return world;
}

/** Settings by Proxmox's names, of each job. */
function readJobs(top: Fields, name: string): Record<string, Config> {
  const jobs = new Fields(top.raw(name), name);
  return top.map(name, (_value, _at, id) => jobs.map(id, configText));
}

function readDevices(top: Fields): { pci: string[]; usb: string[] } {
  const fields = new Fields(top.raw('devices'), 'devices');
  const read = (name: string): string[] => (fields.has(name) ? fields.list(name, configText) : []);
  const devices = { pci: read('pci'), usb: read('usb') };
  fields.end();
  return devices;
}

function readUnique(top: Fields): World['guests'][number][] {
  const seen = new Set<number>();
  return top.list('guests', (value, at) => {
    const guest = readGuest(value, at);
    if (seen.has(guest.vmid)) refuse(`${at}.vmid`, guest.vmid, 'an id that no other guest has');
    seen.add(guest.vmid);
    return guest;
  });
}

function readVersion(top: Fields): World['version'] {
  if (!top.has('version')) return { release: '9.2', version: '9.2.11' };
  const fields = new Fields(top.raw('version'), 'version');
  const version = { release: fields.text('release'), version: fields.text('version') };
  fields.end();
  return version;
}

function readCluster(top: Fields): World['cluster'] {
  const value = top.raw('cluster');
  if (value === undefined || value === null) return null;
  const fields = new Fields(value, 'cluster');
  const cluster = { name: fields.text('name'), quorate: fields.flag('quorate', true) };
  fields.end();
  return cluster;
}

function readPool(value: unknown, at: string): [string, Pool] {
  const fields = new Fields(value, at);
  const pool: Pool = {
    vms: fields.list('vms', (vmid, place) =>
      typeof vmid === 'number' ? vmid : refuse(place, vmid, 'the number of a guest'),
    ),
    storages: fields.list('storages', configText),
  };
  if (fields.has('comment')) pool.comment = fields.text('comment');
  const poolid = fields.text('poolid');
  fields.end();
  return [poolid, pool];
}

function readHa(top: Fields): World['ha'] {
  const fields = new Fields(top.raw('ha') ?? {}, 'ha');
  const resources = fields.list('resources', readHaResource);
  const rules = fields.list('rules', readHaRule);
  const groups = fields.has('groups') ? fields.map('groups', readHaGroup) : undefined;
  fields.end();
  return {
    ...(groups && { groups }),
    resources: Object.fromEntries(resources.map(resource => [resource.sid, resource])),
    rules: Object.fromEntries(rules),
    services: {},
    commands: [],
  };
}

function readHaGroup(value: unknown, at: string): Record<string, string> {
  const fields = new Fields(value, at);
  const group: Record<string, string> = { nodes: fields.text('nodes') };
  for (const name of ['comment', 'nofailback', 'restricted'])
    if (fields.has(name)) group[name] = fields.text(name);
  fields.end();
  return group;
}

function readHaResource(value: unknown, at: string): HaResource {
  const fields = new Fields(value, at);
  const resource = {
    sid: fields.text('sid'),
    state: fields.oneOf('state', ['started', 'stopped', 'disabled', 'ignored'], 'started'),
    settings: fields.map('settings', configText),
  };
  if (!/^(vm|ct):\d+$/.test(resource.sid)) refuse(fields.place('sid'), resource.sid, 'vm:ID or ct:ID');
  fields.end();
  return resource;
}

function readHaRule(value: unknown, at: string): [string, HaRule] {
  const fields = new Fields(value, at);
  const rule = {
    type: fields.oneOf('type', ['node-affinity', 'resource-affinity']),
    settings: fields.map('settings', configText),
  };
  const id = fields.text('rule');
  fields.end();
  return [id, rule];
}
