import type { Download, Node, Storage, Volume } from '../world';
import { configText, Fields, refuse } from './fields';
import { defaultNode } from '../default-world/node';
import { readSystem } from './read-guest';

/** The storage types whose rules the simulator knows. */
const STORAGE_TYPES = ['dir', 'nfs', 'cifs', 'lvm', 'lvmthin', 'zfspool', 'rbd', 'cephfs', 'btrfs'];
const SHARED_TYPES = ['nfs', 'cifs', 'rbd', 'cephfs'];

/** The disk of the recordings' nodes. */
const USUAL_TOTAL = 270_553_174_016;

export interface ReadNode extends Node {
  /** The one that is asked when nobody names another. */
  local: boolean;
}

/** One node; its place in the list gives the number and the address it does not name. */
export function readNode(value: unknown, at: string): ReadNode {
  const fields = new Fields(value, at);
  const usual = defaultNode(Number(/\[(\d+)\]$/.exec(at)?.[1] ?? 0) + 1);
  const nodeid = fields.count('nodeid', usual.nodeid);
  const node = {
    name: fields.text('name', usual.name),
    nodeid,
    ip: fields.text('ip', `192.0.2.${nodeid}`),
    online: fields.flag('online', true),
    apiUp: fields.flag('apiUp', true),
    bridges: fields.has('bridges') ? fields.list('bridges', configText) : usual.bridges,
    cpus: fields.count('cpus', usual.cpus),
    memory: fields.count('memory', usual.memory),
    bootedAt: fields.count('bootedAt', usual.bootedAt),
    local: fields.flag('local', false),
  };
  if (!/^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(node.name)) {
    refuse(fields.place('name'), node.name, 'letters, digits and inner hyphens');
  }
  fields.end();
  return node;
}

export function readStorage(value: unknown, at: string): Storage {
  const fields = new Fields(value, at);
  const type = fields.oneOf('type', STORAGE_TYPES);
  const storage: Storage = {
    storage: fields.text('storage'),
    type,
    content: fields.text('content'),
    shared: fields.flag('shared', SHARED_TYPES.includes(type)),
    enabled: fields.flag('enabled', true),
    total: fields.count('total', USUAL_TOTAL),
  };
  if (fields.has('everywhere')) storage.everywhere = fields.flag('everywhere');
  if (fields.has('path')) storage.path = fields.text('path');
  if (fields.has('nodes')) storage.nodes = fields.list('nodes', configText);
  if (fields.has('options')) storage.options = fields.map('options', configText);
  fields.end();
  return storage;
}

/** One file that `download-url` finds. */
export function readDownload(value: unknown, at: string): Download {
  const fields = new Fields(value, at);
  const download: Download = { size: fields.count('size') };
  if (fields.has('virtualSize')) download.virtualSize = fields.count('virtualSize');
  if (fields.has('text')) download.text = fields.text('text');
  if (fields.has('system')) download.system = readSystem(fields.raw('system'), fields.place('system'));
  fields.end();
  return download;
}

/** One volume; `"node": "*"` is how the file writes a volume of a shared storage. */
export function readVolume(value: unknown, at: string): Volume {
  const fields = new Fields(value, at);
  const volid = fields.text('volid');
  const [storage = '', name = ''] = volid.split(/:(.*)/s);
  if (storage === '' || name === '') refuse(fields.place('volid'), volid, 'STORAGE:NAME');
  const node = fields.text('node', '*');
  const volume: Volume = {
    volid,
    storage,
    node: node === '*' ? null : node,
    content: fields.text('content', contentOf(name)),
    format: fields.text('format', formatOf(name)),
    size: fields.count('size'),
    ctime: fields.count('ctime', 1_699_000_000),
  };
  optionalTexts(fields, volume);
  const vmid = fields.has('vmid') ? fields.count('vmid') : ownerOf(name);
  if (vmid !== undefined) volume.vmid = vmid;
  if (fields.has('filesize')) volume.filesize = fields.count('filesize');
  if (fields.has('protected')) volume.protected = fields.flag('protected');
  if (fields.has('snapshots')) volume.snapshots = fields.list('snapshots', configText);
  if (fields.has('system')) volume.system = readSystem(fields.raw('system'), fields.place('system'));
  fields.raw('note');
  fields.end();
  return volume;
}

function optionalTexts(fields: Fields, volume: Volume): void {
  if (fields.has('parent')) volume.parent = fields.text('parent');
  if (fields.has('text')) volume.text = fields.text('text');
  if (fields.has('notes')) volume.notes = fields.text('notes');
}

function contentOf(name: string): string {
  return /^(iso|import|snippets|vztmpl|backup)\//.exec(name)?.[1] ?? 'images';
}

function formatOf(name: string): string {
  const extension = /\.(qcow2|vmdk|iso|ova|raw|tar\.gz|tar\.xz|tar\.zst|tgz|txz|tzst)$/.exec(name)?.[1];
  if (extension !== undefined) return extension.replace('tar.', 't');
  return name.startsWith('snippets/') ? 'snippet' : 'raw';
}

function ownerOf(name: string): number | undefined {
  const vmid = /(?:^|\/)(?:vm|base|subvol|basevol)-(\d+)-[^/]*$/.exec(name)?.[1];
  return vmid === undefined ? undefined : Number(vmid);
}
