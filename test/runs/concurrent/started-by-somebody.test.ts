import type { Before } from '../../../simulator/control/site';
import { administratorOf } from '../../support/cluster/administrator';
import { foreignWrites, marked } from '../../support/cluster/end-state';
import { eachUntilDone } from '../../support/in-parallel';
import type { Json, Lab } from '../../support/cluster/lab';
import { lab } from '../../support/cluster/lab';
import { ADMINISTRATOR } from '../../support/cluster/start-cluster';
import { turnsOf } from '../../support/turns';

const clone: Json = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  cpu: { cores: 4 },
  disks: [{ name: 'root', size: '40G' }],
  networks: [{ name: 'lan' }],
};
const blank: Json = {
  id: 'web',
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};
const AT = '/nodes/pve1/qemu/10000';

/** A lab where an administrator starts guest 10000 directly before request k. `acted`: whether there was a request k. */
async function startedBefore(k: number): Promise<{ cluster: Lab; acted: () => boolean }> {
  let count = 0;
  const before: Before = async ({ user }) => {
    if (user === ADMINISTRATOR.id || count++ !== k) return;
    await administratorOf(cluster)('POST', `${AT}/status/start`);
    // it hears its power button at once
    const guest = cluster.world.guests[10_000];
    if (guest) guest.system = { kind: 'linux', bootMs: 0, agent: true, obeysShutdown: true };
  };
  const cluster: Lab = await lab({ before });
  return { cluster, acted: () => count > k };
}

function stateOf({ world }: Lab) {
  return marked(world, 'web').map(({ vmid, running, config, pending }) => ({
    vmid,
    runs: running !== null,
    isItself: config['smbios1'] === `uuid=${/"u":"([^"]+)"/.exec(config['description'] ?? '')?.[1]}`,
    isUnfinished: (config['description'] ?? '').includes('"b":1'),
    pending: Object.keys(pending).length,
  }));
}

const whole = { vmid: 10_000, runs: true, isItself: true, isUnfinished: false, pending: 0 };

it.each([
  [0, 'made by clone', clone, 'whenNeeded'],
  [1, 'made by clone', clone, 'never'],
  [1, 'made from nothing', blank, 'whenNeeded'],
])(
  'is whole when somebody starts it before request k, of two from request %i on: %s %o, with restart %s',
  async (row, _, machine, restart) => {
    const starts = async (k: number): Promise<boolean> => {
      const { cluster, acted } = await startedBefore(k);
      const want = { ...machine, restart };
      expect([k, await cluster.bring(want)]).toEqual([k, []]);
      const [guest, ...others] = stateOf(cluster);
      expect([k, others]).toEqual([k, []]);
      if (restart === 'whenNeeded') expect([k, guest]).toEqual([k, whole]);
      else expect([k, guest]).toMatchObject([k, { vmid: 10_000, runs: true }]);
      // where it may not be restarted, a restart by hand and the next run make it whole
      if (!guest?.isItself) await administratorOf(cluster)('POST', `${AT}/status/stop`);
      expect([k, await cluster.bring(want)]).toEqual([k, []]);
      expect([k, stateOf(cluster)]).toEqual([k, [whole]]);
      expect(foreignWrites(cluster)).toEqual([]);
      await cluster.close();
      return !acted();
    };
    await eachUntilDone(4, starts, turnsOf(row, 2));
  },
);
