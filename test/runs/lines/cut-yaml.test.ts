import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { desiredJson } from '../../support/cluster/lab';
import { cliLab, run } from '../../support/processes/cli';
import { beginning, disk, web, yaml } from '../../support/runs/cut-yaml';

let cli: Awaited<ReturnType<typeof cliLab>>;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'cut-'));
  cli = await cliLab();
  expect(await run(['reconcile', '--spec', '-'], cli.access, yaml)).toMatchObject({ code: 0 });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await cli.close();
});

const config = () => Object.values(cli.world.guests).find(({ config: { name } }) => name === 'web')!.config;
const volumes = (): string[] => Object.keys(config()).filter(key => /^(?:scsi|unused)\d/.test(key));

test.each<[from: string, place: () => string]>([
  ['the desired state on stdin', () => '-'],
  ['a file', () => path.join(folder, 'lab.yaml')],
])('reconcile loses no disk by YAML that may be cut short: %s', async (from, place) => {
  const reconcile = (text: string) => {
    if (place() !== '-') writeFileSync(place(), text);
    return run(['reconcile', '--spec', place()], cli.access, text);
  };
  const cut = await reconcile(beginning.trimEnd());
  expect(volumes()).toHaveLength(2);
  const name = place() === '-' ? from : place();
  expect(cut.stderr).toContain(`${name} does not end with a line break, so that a part of it may be missing`);
  expect(cut.code).not.toBe(0);
  // what loses nothing is done all the same
  expect(await reconcile(yaml.replace('512Mi', '1Gi').trimEnd())).toMatchObject({ code: 0 });
  expect(config()['memory']).toBe('1024');
  expect(await reconcile(beginning)).toMatchObject({ code: 0 });
  expect(volumes()).toHaveLength(1);
});

test('JSON needs no line break, of which a part is none', async () => {
  const text = JSON.stringify(desiredJson([{ ...web, disks: [disk('root')] }]));
  expect(await run(['reconcile', '--spec', '-'], cli.access, text)).toMatchObject({ code: 0 });
  expect(volumes()).toHaveLength(1);
});
