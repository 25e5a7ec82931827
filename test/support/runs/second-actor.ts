import { applyEvent } from '../../../simulator/events/apply';
import type { Guest } from '../../../simulator/world';
import type { Administrator } from '../cluster/administrator';
import type { Lab } from '../cluster/lab';

/** What somebody else does, once, to the guest that a run works on. False: there was nothing to do it to. */
export type Act = (to: { admin: Administrator; cluster: Lab; guest: Guest; at: string }) => Promise<boolean>;

/** The ids that somebody else uses for guests of his own. */
export const THEIRS = { copy: 555, namesake: 556 };

const edit =
  (form: Record<string, string>): Act =>
  ({ admin, at }) =>
    admin('PUT', `${at}/config`, form);

const off: Act = ({ admin, at, guest }) =>
  guest.running ? admin('POST', `${at}/status/stop`) : Promise.resolve(true);

const gone: Act = async to => (await off(to)) && to.admin('DELETE', to.at);

/** How long somebody else keeps a guest locked, in milliseconds. */
const LOCKED_MS = 120;

/** What somebody else may do between two of our requests, as far as each run of the tests tries it. */
export const actsOfTheGate: Record<string, Act> = {
  'takes the mark away': edit({ description: 'KEEP' }),
  'takes all away and renames it': edit({ delete: 'tags', description: 'KEEP', name: 'customer-db' }),
  'clones it': ({ admin, at }) => admin('POST', `${at}/clone`, { newid: String(THEIRS.copy), full: '1' }),
  'starts it': ({ admin, at }) => admin('POST', `${at}/status/start`),
  'stops it': ({ admin, at }) => admin('POST', `${at}/status/stop`),
  'locks it for a while': ({ cluster: { simulator }, guest: { vmid, config } }) => {
    if (config['lock'] !== undefined) return Promise.resolve(false);
    applyEvent(simulator.sim, { kind: 'lock', vmid, lock: 'backup' });
    void simulator.sim.clock.sleep(LOCKED_MS).then(() => {
      if (simulator.world.guests[vmid]?.config['lock'] !== 'backup') return;
      applyEvent(simulator.sim, { kind: 'lock', vmid, lock: '' });
    });
    return Promise.resolve(true);
  },
  'moves it': ({ admin, at, guest: { node, running } }) => {
    const online: Record<string, string> = running ? { online: '1', 'with-local-disks': '1' } : {};
    return admin('POST', `${at}/migrate`, { target: node === 'pve2' ? 'pve1' : 'pve2', ...online });
  },
  'deletes it and makes another': async to => {
    if (!(await gone(to))) return false;
    const form = { vmid: String(to.guest.vmid), name: 'customer-db', scsi0: 'local-lvm:1' };
    return to.admin('POST', `/nodes/${to.guest.node}/qemu`, form);
  },
};

/** And with the snapshots of a guest of which we want some. */
export const actsOnSnapshots: Record<string, Act> = {
  'takes the snapshot': ({ admin, at }) =>
    admin('POST', `${at}/snapshot`, { snapname: 'second', description: 'theirs' }),
  'deletes the snapshot': ({ admin, at }) => admin('DELETE', `${at}/snapshot/clean`),
  'goes back to it': ({ admin, at }) => admin('POST', `${at}/snapshot/clean/rollback`),
  'takes another one of its name': async ({ admin, at }) =>
    (await admin('DELETE', `${at}/snapshot/clean`)) &&
    admin('POST', `${at}/snapshot`, { snapname: 'clean', description: 'theirs' }),
};

/** All of it. */
export const acts: Record<string, Act> = {
  ...actsOfTheGate,
  'takes the tag away': edit({ delete: 'tags' }),
  'clones the template under its name': ({ admin }) =>
    admin('POST', '/nodes/pve1/qemu/9000/clone', { newid: String(THEIRS.namesake), name: 'web' }),
  'deletes it': gone,
  'protects it': edit({ protection: '1' }),
  'makes a template of it': async to => (await off(to)) && to.admin('POST', `${to.at}/template`),
  'takes a snapshot': ({ admin, at }) => admin('POST', `${at}/snapshot`, { snapname: 'before' }),
  'gives it cores': edit({ cores: '7' }),
  'gives it a disk': edit({ scsi7: 'shared:1' }),
};
