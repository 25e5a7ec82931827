import type { Guest, GuestCard, GuestSystem, Running, Snapshot } from '../world';
import { configText, Fields } from './fields';

/** One guest. Without `system` nothing boots in it and nothing answers. */
export function readGuest(value: unknown, at: string): Guest {
  const fields = new Fields(value, at);
  const guest: Guest = {
    vmid: fields.count('vmid'),
    type: fields.oneOf('type', ['qemu', 'lxc'], 'qemu') === 'lxc' ? 'lxc' : 'qemu',
    node: fields.text('node'),
    config: fields.map('config', configText),
    pending: fields.map('pending', configText),
    pendingDelete: fields.map('pendingDelete', entry => entry === true),
    snapshots: fields.map('snapshots', readSnapshot),
    running: readRunning(fields),
    system: fields.has('system') ? readSystem(fields.raw('system'), fields.place('system')) : NOTHING,
    cloudInitImage: fields.has('cloudInitImage') ? fields.map('cloudInitImage', configText) : null,
  };
  if (fields.has('cloudInitChanges')) guest.cloudInitChanges = fields.map('cloudInitChanges', configText);
  fields.end();
  return guest;
}

const NOTHING: GuestSystem = { kind: 'none', bootMs: 0, agent: false, obeysShutdown: false };

/** What boots in a guest or from an image. Where nothing else is said, a Linux with an agent. */
export function readSystem(value: unknown, at: string): GuestSystem {
  const fields = new Fields(value, at);
  const kind = fields.oneOf('kind', ['none', 'linux'], 'linux') === 'none' ? 'none' : 'linux';
  const system: GuestSystem = {
    kind,
    bootMs: fields.count('bootMs', kind === 'linux' ? 2000 : 0),
    agent: fields.flag('agent', kind === 'linux'),
    obeysShutdown: fields.flag('obeysShutdown', kind === 'linux'),
  };
  if (fields.has('agentMs')) system.agentMs = fields.count('agentMs');
  if (fields.has('agentSays'))
    system.agentSays =
      fields.oneOf('agentSays', ['nonsense', 'link-local']) === 'nonsense' ? 'nonsense' : 'link-local';
  if (fields.has('cloudInit')) {
    const said = new Fields(fields.raw('cloudInit'), fields.place('cloudInit'));
    const how = said.oneOf('kind', ['none', 'disabled', 'runs'], 'runs');
    system.cloudInit = {
      kind: how === 'none' || how === 'disabled' ? how : 'runs',
      ms: said.count('ms', 0),
      errors: said.list('errors', configText),
    };
    said.end();
  }
  fields.end();
  return system;
}

/** `"running": true` is enough; the details have usual values. */
function readRunning(guest: Fields): Running | null {
  const value = guest.raw('running');
  if (value === undefined || value === null || value === false) return null;
  const fields = new Fields(value === true ? {} : value, guest.place('running'));
  const running: Running = {
    pid: fields.count('pid', 4000),
    since: fields.count('since', 1_699_000_060_000),
    qmp: fields.text('qmp', 'running'),
    machine: fields.text('machine', 'pc-i440fx-10.1+pve0'),
  };
  if (fields.has('cards')) running.cards = fields.list('cards', readCard);
  fields.end();
  return running;
}

function readCard(value: unknown, at: string): GuestCard {
  const fields = new Fields(value, at);
  const card = {
    name: fields.text('name'),
    mac: fields.text('mac'),
    addresses: fields.list('addresses', configText),
  };
  fields.end();
  return card;
}

function readSnapshot(value: unknown, at: string): Snapshot {
  const fields = new Fields(value, at);
  const snapshot: Snapshot = {
    config: fields.map('config', configText),
    snaptime: fields.count('snaptime', 1_699_000_000),
    description: fields.text('description', ''),
  };
  for (const name of ['parent', 'vmstate', 'snapstate'] as const) {
    if (fields.has(name)) snapshot[name] = fields.text(name);
  }
  fields.end();
  return snapshot;
}
