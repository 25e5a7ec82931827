import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { administratorOf } from '../../support/cluster/administrator';
import { lab, labWorld, type Lab } from '../../support/cluster/lab';
import { programAccess, takeWrites } from '../../support/cluster/program-access';
import { ADMINISTRATOR, openToRoot } from '../../support/cluster/start-cluster';
import { adoptInto, folderForProgram } from '../../support/runs/whole-cluster';
import { runLine } from '../../reconciler/walk/live';

const COUNT = 24;
const numbers = Array.from({ length: COUNT }, (_, index) => 300 + index);
const isOurs = ({ world }: Lab, vmid: number): boolean =>
  (world.guests[vmid]?.config['description'] ?? '').includes('"o":"team/lab"');

let before: ((line: string) => Promise<void>) | undefined;
let cluster: Lab;
let program: ReturnType<typeof folderForProgram>;
beforeAll(async () => {
  cluster = await lab({
    taskMs: 0,
    before: async ({ method, path: asked, user }) => {
      if (user !== ADMINISTRATOR.id) await before?.(`${method} ${asked}`);
    },
  });
});
afterAll(() => cluster.close());
beforeEach(async () => {
  cluster.simulator.reset(openToRoot(emptyWorld()));
  const admin = administratorOf(cluster);
  for (const vmid of numbers)
    await admin('POST', '/nodes/pve2/qemu', {
      ...{ vmid: String(vmid), name: vmid % 2 === 0 ? `web-${vmid}` : 'db', memory: '1024', cores: '2' },
      ...{ scsi0: 'local-lvm:1', net0: 'virtio,bridge=vmbr0', tags: 'prod' },
    });
  takeWrites(cluster.simulator);
  program = folderForProgram();
});
afterEach(() => {
  before = undefined;
  program.remove();
});

function emptyWorld() {
  const world = labWorld();
  world.guests = {};
  world.volumes = world.volumes.filter(({ vmid }) => vmid === undefined);
  return world;
}

/** Acts once, directly before the first write; all writes wait for it. */
function beforeFirstWrite(act: () => Promise<unknown>): void {
  let acted: Promise<unknown> | undefined;
  before = async line => {
    if (line.startsWith('PUT ')) await (acted ??= act());
  };
}

test('guests that vanish, change or get the mark of somebody else meanwhile are named, and the others go on', async () => {
  const admin = administratorOf(cluster);
  const [gone, grown, taken, locked] = numbers.slice(-4) as [number, number, number, number];
  beforeFirstWrite(async () => {
    await admin('DELETE', `/nodes/pve2/qemu/${gone}`);
    await admin('PUT', `/nodes/pve2/qemu/${grown}/config`, { cores: '4' });
    const { id, secret } = ADMINISTRATOR;
    const access = { ...programAccess(cluster.simulator), PVE_TOKEN_ID: id, PVE_TOKEN_SECRET: secret };
    await runLine(['adopt', String(taken), '--owner', 'team/else', '--yes', '--form', 'json'], access);
    cluster.world.guests[locked]!.config['lock'] = 'backup';
  });
  const { code, said } = await adoptInto(program.folder, cluster.simulator, '--yes');
  expect(code).toBe(3);
  expect(said).toMatch(new RegExp(`VM ${gone}: .*it is gone`));
  expect(said).toMatch(new RegExp(`VM ${grown}: .*it was changed meanwhile: .*cpu.cores`));
  expect(said).toMatch(new RegExp(`VM ${taken}: .*of owner team/else already`));
  expect(said).toMatch(new RegExp(`VM ${locked}: .*it is locked \\(backup\\)`));
  const others = numbers.slice(0, -4);
  expect(others.filter(vmid => !isOurs(cluster, vmid))).toEqual([]);
  expect([gone, grown, taken, locked].filter(vmid => isOurs(cluster, vmid))).toEqual([]);
  expect(said.match(/its next plan is empty/g)).toHaveLength(others.length);
});

test('a run that is cut short is run again: the same program, and one write for each guest', async () => {
  let writes = 0;
  before = line => {
    if (line.startsWith('PUT ')) writes += 1;
    cluster.world.cluster!.quorate = writes <= COUNT / 3;
    return Promise.resolve();
  };
  const first = await adoptInto(program.folder, cluster.simulator, '--yes');
  expect(first.code).not.toBe(0);
  before = undefined;
  cluster.world.cluster!.quorate = true;
  const files = program.files();
  const marked = numbers.filter(vmid => isOurs(cluster, vmid));
  expect(marked.length).toBeGreaterThan(0);
  expect(marked.length).toBeLessThan(COUNT);
  takeWrites(cluster.simulator);
  const again = await adoptInto(program.folder, cluster.simulator, '--yes');
  expect(again).toMatchObject({ code: 0 });
  expect(program.files()).toEqual(files);
  expect(takeWrites(cluster.simulator)).toHaveLength(COUNT - marked.length);
  expect(numbers.filter(vmid => !isOurs(cluster, vmid))).toEqual([]);
  const third = await adoptInto(program.folder, cluster.simulator, '--yes');
  expect(third).toMatchObject({
    code: 0,
    said: expect.stringContaining('Each guest of the program has its mark already') as string,
  });
  expect(takeWrites(cluster.simulator)).toEqual([]);
});

test('a file that somebody changed is kept, and named', async () => {
  await adoptInto(program.folder, cluster.simulator);
  const name = Object.keys(program.files()).find(each => each !== 'main.ts')!;
  appendFileSync(path.join(program.folder, name), '// mine\n');
  const files = program.files();
  const again = await adoptInto(program.folder, cluster.simulator, '--yes');
  expect(again).toMatchObject({
    code: 2,
    said: expect.stringContaining(`were changed since: ${name}. No guest was changed`) as string,
  });
  expect(program.files()).toEqual(files);
  expect(takeWrites(cluster.simulator)).toEqual([]);
  expect(await adoptInto(program.folder, cluster.simulator, '--force')).toMatchObject({ code: 0 });
  expect(program.files()).not.toEqual(files);
});

test('a folder takes no form that is one document', async () => {
  const ran = await adoptInto(program.folder, cluster.simulator, '--form', 'yaml');
  expect(ran).toMatchObject({ code: 2, said: expect.stringContaining('yaml is one document') as string });
});
