import { writes } from '../../support/cluster/end-state';
import { runningWeb } from '../../support/runs/running-web';

let web: Awaited<ReturnType<typeof runningWeb>>;
afterEach(() => web.cluster.close());
const sent = () => writes(web.cluster.simulator).filter(line => !line.endsWith('/ticket'));
const CARD = 'virtio=BC:24:11:00:00:01,bridge=';

describe.each([false, true])(
  'a snapshot with a card on a bridge that is gone (memory: %s)',
  includeMemory => {
    const snapshots = [{ name: 'clean', includeMemory }];
    const back = { snapshots, revertTo: 'clean' };
    beforeEach(async () => {
      web = await runningWeb();
      web.guest().config['net0'] = `${CARD}vmbr9`;
      web.cluster.world.nodes.forEach(node => node.bridges.push('vmbr9'));
      expect(await web.change({ snapshots })).toEqual([]);
      web.guest().config['net0'] = `${CARD}vmbr0`;
      web.cluster.simulator.ledger.reset();
      web.cluster.events.length = 0;
    });
    const goes = () =>
      web.cluster.world.nodes.forEach(node => (node.bridges = node.bridges.filter(name => name !== 'vmbr9')));

    it('is not gone back to: the machine would be off then, and not start', async () => {
      goes();
      const [said] = await web.change(back);
      expect(said).toContain(
        "Once it went back to snapshot 'clean' it would not start on pve1: net0 is on bridge 'vmbr9'",
      );
      expect(said).toContain('Bring that back, then run again');
      expect(web.guest().running).not.toBeNull();
      expect(sent()).toEqual([]);
      // as the remedy says
      web.cluster.world.nodes.forEach(node => node.bridges.push('vmbr9'));
      expect(await web.change(back)).toEqual([]);
      expect(web.guest()).toMatchObject({
        config: { net0: `${CARD}vmbr9` },
        running: expect.anything() as unknown,
      });
    });

    it('a machine that it leaves off all the same is said to be off', async () => {
      // no API tells of the serial ports of a node
      Object.values(web.guest().snapshots).forEach(({ config }) => (config['serial0'] = '/dev/ttyS9'));
      const [said] = await web.change(back);
      expect(said).toContain('no such serial device');
      expect(web.guest().running).toBeNull();
      expect(JSON.stringify(web.cluster.events)).toContain('web IS OFF: this run stopped it');
    });
  },
);
