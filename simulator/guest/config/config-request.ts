import { requirePrivileges } from '../../access/privileges';
import { onlyRoot } from '../../access/root-only';
import type { Call } from '../../cluster/call';
import { Failure, fail, failParameters } from '../../failure';
import { parsePropertyString } from '../../schema/property-string';
import { splitList } from '../../perl-text';
import type { Sim } from '../../cluster/sim';
import { requireVolumeAccess } from '../../storage/volumes/access';
import type { Config, Guest } from '../../world';
import { requireKeys } from './key-permissions';
import { configProperty } from '../keys/schema';
import { checkDriveAccess, checkDriveParameters } from '../drives/checks';
import { isDriveKey } from '../drives/drive';
import { checkHookscript } from './hookscript';
import { completeNet, isNetKey, requireBridges } from '../keys/net';
import { checkSshKeys } from '../cloud-init/ssh-keys';

/** A write to a guest's configuration, verified as far as that goes without looking at the configuration. */
export interface ConfigRequest {
  sim: Sim;
  user: string;
  node: string;
  vmid: number;
  settings: Config;
  deletions: string[];
  reverts: string[];
  /** Keys that were sent without a value; writing them fails. */
  empty: string[];
  force: boolean;
  skiplock: boolean;
  digest: string | undefined;
  /** The parameters as the task log shows them. */
  summary: string;
}

/** A config write at work: the request, and what it has touched so far. */
export interface ConfigUpdate extends ConfigRequest {
  guest: Guest;
  /** The keys that this write changes; only they are hot-plugged. */
  changed: Set<string>;
  /** The boot order while drives come and go. */
  bootOrder: string[];
  log(line: string): void;
}

const CONTROLS = ['delete', 'revert', 'force', 'skiplock'];
const UNLOGGED = ['node', 'vmid', 'digest', 'background_delay', 'import-working-storage'];

/** Verifies the parameters of a config write, in Proxmox's order, and completes values that the caller left open. */
export function readConfigRequest(call: Call): ConfigRequest {
  const { sim, user, node, params } = call;
  const vmid = Number(params['vmid']);
  const logged = Object.fromEntries(Object.entries(params).filter(([key]) => !UNLOGGED.includes(key)));
  const settings = Object.fromEntries(Object.entries(logged).filter(([key]) => !CONTROLS.includes(key)));
  onlyRoot(call, 'skiplock');
  prepareSettings(settings);
  const empty = call.empty.filter(key => !CONTROLS.includes(key) && !UNLOGGED.includes(key));
  const wishes = params['delete'] || params['revert'] || Object.keys(settings).length + empty.length > 0;
  if (!wishes) fail('no options specified');
  const drive = empty.find(isDriveKey);
  if (drive !== undefined) failParameters({ [drive]: 'unable to parse drive options' });
  resolveCdrom(settings);
  const lists = readLists(settings, params['delete'] ?? '', params['revert'] ?? '');
  const request: ConfigRequest = {
    sim,
    user,
    node,
    vmid,
    settings: checkDriveParameters(sim, settings),
    ...lists,
    empty,
    force: params['force'] === '1',
    skiplock: params['skiplock'] === '1',
    digest: params['digest'],
    summary: summaryOf(logged),
  };
  completeSettings(request);
  checkPermissions(request);
  return request;
}

function summaryOf(logged: Config): string {
  return Object.keys(logged)
    .sort()
    .map(key => `-${key} ${key === 'cipassword' ? '<hidden>' : logged[key]}`)
    .join(' ');
}

/** What create and update do first with some values. */
export function prepareSettings(settings: Config): void {
  const { sshkeys, cpuunits } = settings;
  if (sshkeys !== undefined) checkSshKeys(sshkeys);
  // PVE: control groups of version 2 end at 10000
  if (cpuunits !== undefined) settings['cpuunits'] = String(Math.min(Number(cpuunits), 10_000));
}

/** The old key `cdrom` is another name for ide2. */
export function resolveCdrom(settings: Config): void {
  const { cdrom } = settings;
  if (cdrom === undefined) return;
  settings['ide2'] = cdrom.includes('media=') ? cdrom : `${cdrom},media=cdrom`;
  delete settings['cdrom'];
}

function readLists(
  settings: Config,
  deleteText: string,
  revertText: string,
): { deletions: string[]; reverts: string[] } {
  const reverts = splitList(revertText);
  for (const key of reverts) {
    if (!configProperty(key)) failParameters({ revert: `unknown option '${key}'` });
    if (Object.hasOwn(settings, key)) clash('delete', `-${key}`, `-revert ${key}`);
  }
  const deletions = splitList(deleteText).map(key => (key === 'cdrom' ? 'ide2' : key));
  for (const key of deletions) {
    if (Object.hasOwn(settings, key)) clash('delete', `-${key}`, `-delete ${key}`);
    if (reverts.includes(key)) clash('revert', `-delete ${key}`, `-revert ${key}`);
    if (!configProperty(key)) failParameters({ delete: `unknown option '${key}'` });
  }
  return { deletions, reverts };
}

function clash(parameter: string, one: string, other: string): never {
  // PVE: the quotes are set like this
  failParameters({ [parameter]: `you can't use '${one}' and ${other}' at the same time` });
}

function completeSettings({ sim, node, settings }: ConfigRequest): void {
  for (const [key, value] of Object.entries(settings)) {
    // PVE: a device without a MAC gets a new one on every write
    if (isNetKey(key)) settings[key] = completeNet(sim, value);
    if (key === 'vmgenid' && value === '1') settings[key] = sim.random.uuid();
    if (key === 'hookscript') asParameterError(key, () => checkHookscript(sim, node, value));
  }
}

function asParameterError(key: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failParameters({ [key]: `${error.message}\n` });
  }
}

function checkPermissions(request: ConfigRequest): void {
  const { sim, user, vmid, settings, deletions } = request;
  requireKeys(request, deletions);
  requireKeys(request, Object.keys(settings));
  requireStorage(sim, user, vmid, settings);
  requireBridges(sim, user, settings);
}

/** Fails unless the user may use the storages and volumes that these settings name. */
export function requireStorage(
  sim: Sim,
  user: string,
  vmid: number,
  settings: Config,
  defaultStorage?: string,
): void {
  checkDriveAccess(sim, user, vmid, settings, defaultStorage);
  const { vmstatestorage, cicustom } = settings;
  if (vmstatestorage !== undefined) {
    requirePrivileges(sim, user, `/storage/${vmstatestorage}`, ['Datastore.AllocateSpace']);
  }
  const snippets = cicustom === undefined ? {} : parsePropertyString('pve-qm-cicustom', cicustom);
  for (const volid of Object.values(snippets).sort()) {
    requireVolumeAccess(sim, user, volid, { vmid, content: 'snippets' });
  }
}
