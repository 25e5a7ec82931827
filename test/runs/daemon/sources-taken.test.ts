import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sources } from '../../../reconciler/daemon/sources/sources';
import { Reporter } from '../../../reconciler/report/reporter';
import { desiredText } from '../../support/processes/cli';
import { TOKEN } from '../../support/cluster/start-cluster';
import { daemonLab, until } from '../../support/daemon/daemon-lab';

const web = { id: 'web', node: 'pve1', image: { blank: true } };
const db = { id: 'db', node: 'pve2', image: { blank: true } };

test('a new state that comes while the credentials are gone is taken when they are back, and is a fault until then', async () => {
  const lab = await daemonLab([web]);
  try {
    const [secret, away] = [join(lab.folder, 'secret'), join(lab.folder, 'away')];
    writeFileSync(secret, TOKEN.secret);
    const daemon = lab.start({ prune: true }, { PVE_TOKEN_SECRET: '', PVE_TOKEN_SECRET_FILE: secret });
    await until(
      () => lab.guests('web').length,
      count => count === 1,
    );
    renameSync(secret, away);
    lab.want([web, db]);
    const bad = 'Bad configuration: the last good one is kept';
    await until(
      () => daemon.said(bad),
      lines => lines.length > 0,
    );
    const isGood = async (good: number): Promise<boolean> =>
      (await daemon.metrics()).includes(`proxmox_operator_sources_good ${good}`);
    await until(() => isGood(0), Boolean);
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect([await isGood(0), daemon.said(bad).length, lab.guests('db').length]).toEqual([true, 1, 0]);
    renameSync(away, secret);
    await until(
      () => lab.guests('db').length,
      count => count === 1,
    );
    await until(() => isGood(1), Boolean);
    await daemon.stop();
  } finally {
    await lab.close();
  }
});

test('a file that is written while it is read: what was read before may be old', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  try {
    const file = join(folder, 'desired.json');
    writeFileSync(file, desiredText([web]));
    const sources = new Sources(
      { spec: [file, '-'] },
      {
        environment: {},
        out: () => undefined,
        reporter: new Reporter({ write: () => undefined, level: 'error', json: true }),
        signal: new AbortController().signal,
        readInput: () => {
          writeFileSync(file, desiredText([web, db]));
          return Promise.resolve('{"version":1,"owner":"other","cluster":{"name":"lab"},"machines":[]}');
        },
      },
    );
    expect([await sources.readIfNew(), sources.fault, sources.mayBeOld]).toEqual([
      undefined,
      undefined,
      true,
    ]);
    const read = await sources.readIfNew();
    expect([read?.states[0]?.machines.length, sources.mayBeOld]).toEqual([2, false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('how long the files have stood is no matter of the time of day, which somebody may set', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  const clock = jest.spyOn(Date, 'now');
  try {
    const file = join(folder, 'desired.json');
    writeFileSync(file, desiredText([web]));
    const sources = new Sources(
      { spec: [file] },
      {
        environment: {},
        out: () => undefined,
        reporter: new Reporter({ write: () => undefined, level: 'error', json: true }),
        signal: new AbortController().signal,
        readInput: () => Promise.resolve(''),
      },
    );
    await sources.readIfNew();
    const now = new Date().getTime();
    for (const hours of [1, -1]) {
      clock.mockReturnValue(now + hours * 3_600_000);
      const stoodMs = await sources.goodForMs();
      expect([stoodMs >= 0, stoodMs < 600_000]).toEqual([true, true]);
    }
  } finally {
    clock.mockRestore();
    rmSync(folder, { recursive: true });
  }
});
