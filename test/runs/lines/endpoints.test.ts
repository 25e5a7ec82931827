import { connect, readVersion } from '../../../reconciler/pve';
import { EndpointsError } from '../../../reconciler/pve/answers/errors';
import { defaultWorld } from '../../../simulator';
import { TOKEN } from '../../support/cluster/start-cluster';
import type { CliLab } from '../../support/processes/cli';
import { pveConfig } from '../../support/reconciler/pve-config';
import { lineLab } from '../../support/runs/line-lab';

const web = { id: 'web', image: { blank: true }, power: 'stopped' };

const labs: CliLab[] = [];
afterEach(() => Promise.all(labs.splice(0).map(lab => lab.close())));

async function labNamed(name: string, authority?: string): Promise<CliLab> {
  const world = defaultWorld(3);
  if (authority !== undefined) world.authority = authority;
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

/** A cluster, and one that somebody set up beside it from its configuration: by its name, with the marks. */
async function labAndCopy() {
  const lab = await labNamed('lab', 'AA:01');
  expect((await lab.people('reconcile', [web])).code).toBe(0);
  const copy = await labNamed('lab', 'BB:02');
  copy.simulator.world.guests = structuredClone(lab.simulator.world.guests);
  lab.writes();
  return { lab, copy };
}

const changed = { ...web, memory: '2Gi' };

test('a copy with the same name is told by its root certificate', async () => {
  const { lab, copy } = await labAndCopy();
  const ran = await lab.people('reconcile', [changed], [], endpoints(lab.simulator.url, copy.simulator.url));
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(
    `${lab.simulator.url} is of cluster lab (root certificate AA:01), ${copy.simulator.url} is of cluster lab (root certificate BB:02)`,
  );
  expect([...lab.writes(), ...copy.writes()]).toEqual([]);
});

test('a caller without Sys.Audit compares the root certificate too', async () => {
  const { lab, copy } = await labAndCopy();
  for (const { simulator } of [lab, copy]) {
    const { access } = simulator.world;
    access.users['ops@pve'] = { enable: true, tokens: { tf: { value: 'narrow', privsep: false } } };
    access.roles['guests'] = ['VM.Audit'];
    access.acl.push({ path: '/vms', type: 'user', ugid: 'ops@pve', roleid: 'guests', propagate: true });
  }
  const env = { PVE_TOKEN_ID: 'ops@pve!tf', PVE_TOKEN_SECRET: 'narrow' };
  const both = { ...endpoints(lab.simulator.url, copy.simulator.url), ...env };
  const ran = await lab.people('plan', [changed], [], both);
  expect(ran.stderr).toContain(
    `${copy.simulator.url} is of a cluster without a name (root certificate BB:02)`,
  );
});

function connectedTo(...some: readonly CliLab[]) {
  const all = some.map(({ simulator }) => simulator);
  return connect(
    pveConfig('', {
      endpoints: all.map(({ url }) => url),
      credentials: { kind: 'token', ...TOKEN },
      tls: { insecure: false, ca: all.map(({ ca }) => ca).join('\n') },
    }),
  );
}

/** A connection that has used its first address, and then finds nobody there. */
async function switched(second: CliLab, before: () => void = () => undefined, third: readonly CliLab[] = []) {
  const first = await labNamed('lab', 'AA:01');
  const pve = connectedTo(first, second, ...third);
  try {
    await readVersion(pve);
    await first.close();
    labs.splice(labs.indexOf(first), 1);
    before();
    return await readVersion(pve).catch((error: unknown) => error);
  } finally {
    await pve.close();
  }
}

test('an address is compared again when it comes into use', async () => {
  const same = await switched(await labNamed('lab', 'AA:01'));
  expect(same).toHaveProperty('version');
  const second = await labNamed('lab', 'AA:01');
  const other = await switched(second, () => (second.simulator.world.authority = 'BB:02'));
  expect(other).toBeInstanceOf(EndpointsError);
  expect(String(other)).toContain(`${second.simulator.url} is of cluster lab (root certificate`);
});

test('one that leads elsewhere by now is passed over for the next', async () => {
  const [second, third] = [await labNamed('lab', 'AA:01'), await labNamed('lab', 'AA:01')];
  const becomesAnother = (): void => void (second.simulator.world.authority = 'BB:02');
  expect(await switched(second, becomesAnother, [third])).toHaveProperty('version');
});

test('addresses that were of two clusters are compared anew once that is mended', async () => {
  const [one, other] = [await labNamed('lab', 'AA:01'), await labNamed('lab', 'BB:02')];
  const pve = connectedTo(one, other);
  try {
    await expect(readVersion(pve)).rejects.toBeInstanceOf(EndpointsError);
    other.simulator.world.authority = 'AA:01';
    expect(await readVersion(pve)).toHaveProperty('version');
  } finally {
    await pve.close();
  }
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
