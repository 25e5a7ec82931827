import type { Fault } from '../../simulator/faults/fault';
import { desired, errorsOf, lab } from '../support/lab';

const clone = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  cpu: { cores: 4 },
  memory: '4Gi',
  disks: [{ name: 'root', size: '40G' }],
  networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24' } }],
  cloudInit: { user: 'me' },
};
const blank = {
  id: 'web',
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
  networks: [{ name: 'lan' }],
};
const births = { clone, blank };

describe('calls', () => {
  test.each(Object.entries(births))('%s', async (_, machine) => {
    const it = await lab();
    const state = desired([machine]);
    expect(errorsOf(await it.run(state))).toEqual([]);
    console.log(it.calls());
    expect(errorsOf(await it.run(state))).toEqual([]);
    console.log(it.calls());
    expect(errorsOf(await it.run(desired([{ ...machine, tags: ['x'] }])))).toEqual([]);
    console.log(it.calls());
    expect(errorsOf(await it.run(desired([{ ...machine, tags: ['x'], memory: '8Gi' }])))).toEqual([]);
    console.log(it.calls());
    expect(
      errorsOf(
        await it.run(
          desired([
            { ...machine, tags: ['x'], memory: '8Gi', disks: [{ ...machine.disks[0], size: '50G' }] },
          ]),
        ),
      ),
    ).toEqual([]);
    console.log(it.calls());
    await it.close();
  });
});

const effects: Record<string, Fault['effect']> = {
  'the answer is lost': { kind: 'reset', work: 'done' },
  'the request is lost': { kind: 'reset', work: 'not-done' },
  'the proxy gives up': { kind: 'gateway', status: 596, text: 'Connection timed out', work: 'done' },
  'the node is away': { kind: 'gateway', status: 595, text: 'No route to host', work: 'not-done' },
  'half of the answer is lost': { kind: 'half' },
};

describe.each(Object.entries(births))('%s, request %#', (_, machine) => {
  test.each(Object.entries(effects))(
    '%s, whichever it is',
    async (_name, effect) => {
      for (let k = 0; k < 40; k += 1) {
        const it = await lab();
        const ours = () => Object.values(it.world.guests).filter(guest => guest.config['name'] === 'web');
        const others = JSON.stringify(Object.values(it.world.guests));
        it.simulator.faults.add({ path: '/**', after: k, count: 1, effect });
        const endings = await it.run(desired([machine]));
        const met = it.simulator.faults.list()[0]!.hits;
        it.simulator.faults.clear();
        const again = await it.run(desired([machine]));
        expect([
          k,
          errorsOf(again),
          ours().length,
          JSON.stringify(Object.values(it.world.guests).filter(g => g.config['name'] !== 'web')) === others,
        ]).toEqual([k, [], 1, true]);
        if (errorsOf(endings).length > 0) console.log(k, errorsOf(endings));
        await it.close();
        if (met === 0) break;
      }
    },
    60_000,
  );
});
