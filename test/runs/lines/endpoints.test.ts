import { defaultWorld } from '../../../simulator';
import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const web = { id: 'web', image: { blank: true }, power: 'stopped' };

const labs: CliLab[] = [];
afterEach(() => Promise.all(labs.splice(0).map(lab => lab.close())));

async function labNamed(name: string): Promise<CliLab> {
  const world = defaultWorld(3);
  world.cluster!.name = name;
  const lab = await lineLab({ world });
  labs.push(lab);
  return lab;
}

/** The variables that name the addresses of several clusters. */
function endpoints(...urls: string[]) {
  const cas = labs.map(({ simulator }) => simulator.ca).join('\n');
  return { PVE_ENDPOINT: urls.join(','), PVE_CA_BUNDLE: cas };
}

const DEAD = 'https://127.0.0.1:1';

test('two addresses of different clusters are refused, and nothing is written to either', async () => {
  const one = await labNamed('lab');
  const other = await labNamed('other');
  const env = endpoints(one.simulator.url, other.simulator.url);
  for (const ran of [await one.people('reconcile', [web], [], env), await one.destroy('web', { env })]) {
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      `${one.simulator.url} is of cluster lab, ${other.simulator.url} is of cluster other`,
    );
  }
  expect([...one.writes(), ...other.writes()]).toEqual([]);
});

test('two addresses of one cluster are used', async () => {
  const lab = await labNamed('lab');
  const { port } = new URL(lab.simulator.url);
  const env = endpoints(lab.simulator.url, `https://localhost:${port}`);
  expect((await lab.people('reconcile', [web], [], env)).code).toBe(0);
  expect(lab.guests('web')).toHaveLength(1);
});

test('an address that is away is passed over', async () => {
  const lab = await labNamed('lab');
  const ran = await lab.people('reconcile', [web], [], endpoints(DEAD, lab.simulator.url));
  expect(ran.code).toBe(0);
  expect(lab.guests('web')).toHaveLength(1);
});
