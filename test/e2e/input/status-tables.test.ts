import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programAccess } from '../../support/cluster/program-access';
import { cliLab, run, type CliLab } from '../../support/processes/cli';

const folder = mkdtempSync(join(tmpdir(), 'two tables '));
let lab: CliLab;
beforeAll(async () => {
  lab = await cliLab();
});
afterAll(async () => {
  await lab.close();
  rmSync(folder, { recursive: true });
});

/** The one simulated cluster goes by two names. */
const access = (): Record<string, string> => {
  const { PVE_TASK_POLL_INTERVAL: _, ...all } = programAccess(lab.simulator);
  const own = Object.entries(all);
  return Object.fromEntries(
    ['LAB', 'EDGE'].flatMap(name => own.map(([key, value]) => [key.replace(/^PVE_/, `PVE_${name}_`), value])),
  );
};

/** What status prints of these owners and clusters. */
async function tables(...all: [owner: string, cluster: string][]): Promise<string> {
  const files = all.map(([owner, name], at) => {
    const file = join(folder, `${at}.json`);
    const machines = [{ id: `web${at}`, image: { blank: true } }];
    writeFileSync(file, JSON.stringify({ version: 1, owner, cluster: { name }, machines }));
    return ['--spec', file];
  });
  const { stdout, stderr } = await run(['status', ...files.flat()], access());
  if (stdout === '') throw new Error(stderr);
  return stdout;
}

test('where there are several clusters, each table has the name of its own', async () => {
  const text = await tables(['o', 'lab'], ['o', 'edge']);
  expect(text).toMatch(/^cluster lab:\n.*\nweb0 [^]*\n\ncluster edge:\n.*\nweb1 /);
  expect(await tables(['a', 'lab'], ['b', 'lab'])).toMatch(
    /^cluster lab, owner a:\n[^]*\n\ncluster lab, owner b:\n/,
  );
  expect(await tables(['o', 'lab'])).not.toContain('cluster');
});
