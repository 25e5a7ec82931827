import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { daemonLab, until } from '../../support/daemon/daemon-lab';
import { skipped } from '../../support/skipped';

const root = join(__dirname, '..', '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const NAMES = /\b(?:proxmox|process)_[a-z_]+/g;
const promtool = (args: string[], input = '') =>
  spawnSync('promtool', args, { cwd: root, input, encoding: 'utf8' });
const why = promtool(['--version']).status === 0 ? undefined : 'there is no promtool on PATH';

let scraped: string;
beforeAll(async () => {
  const lab = await daemonLab([{ id: 'web', node: 'pve1', image: { blank: true } }]);
  try {
    const daemon = lab.start();
    await until(
      () => daemon.machine('web'),
      ({ phase }) => phase === 'Running',
    );
    scraped = await daemon.metrics();
  } finally {
    await lab.close();
  }
});

/** The names that a query may use: those of the families, and what a histogram has beside its own. */
const known = (): Set<string> =>
  new Set(
    [...scraped.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );

test.each(['alerts.yaml', 'dashboard.json'])('%s asks for nothing that the daemon does not tell', file => {
  const asked = [...new Set(read('monitoring', file).match(NAMES))];
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter(name => !known().has(name))).toEqual([]);
});

test('the dashboard shows every number of the page about the daemon', () => {
  const told = read('docs', 'daemon.md').match(/`proxmox_[a-z_]+`/g) ?? [];
  const dashboard = read('monitoring', 'dashboard.json');
  expect(told.length).toBeGreaterThan(8);
  expect(told.filter(name => !dashboard.includes(name.replaceAll('`', '')))).toEqual([]);
});

test('the page about the daemon names every alert', () => {
  const alerts = [...read('monitoring', 'alerts.yaml').matchAll(/alert: (\w+)/g)].map(
    ([, name = '']) => name,
  );
  expect(alerts.filter(name => !read('docs', 'daemon.md').includes(`\`${name}\``))).toEqual([]);
});

test('the alert of rounds that stopped is told after as long as its text and the page say', () => {
  const [, rule = ''] =
    /alert: ProxmoxRoundsStopped\n(.*?)(?=- alert|$)/s.exec(read('monitoring', 'alerts.yaml')) ?? [];
  const [, window, wait, told] =
    /\[(\d+)m\].*for: (\d+)m.*No round has ended for (\d+) minutes/s.exec(rule) ?? [];
  expect(Number(window) + Number(wait)).toBe(Number(told));
  expect(read('docs', 'daemon.md')).toContain(`no round has ended for ${told} minutes`);
});

if (why) skipped('the rules and a scrape, by promtool', why);
else {
  test('the rules are good', () => {
    expect(promtool(['check', 'rules', 'monitoring/alerts.yaml'])).toMatchObject({ status: 0 });
  });

  test('each alert is told when it should be, and only then', () => {
    expect(promtool(['test', 'rules', 'monitoring/alerts.test.yaml'])).toMatchObject({ status: 0 });
    const tested = read('monitoring', 'alerts.test.yaml');
    const alerts = [...read('monitoring', 'alerts.yaml').matchAll(/alert: (\w+)/g)].map(
      ([, name = '']) => name,
    );
    expect(
      alerts.filter(name => !new RegExp(`${name}\\n +eval_time: \\w+\\n +exp_alerts`).test(tested)),
    ).toEqual([]);
  });

  test('promtool reads a scrape of the daemon', () => {
    const { status, stderr } = promtool(['check', 'metrics'], scraped);
    // 3: read well, with advice on names, of which those of the requirements cannot change
    expect(status === 0 || status === 3).toBe(true);
    expect(stderr.split('\n').filter(line => line !== '' && !ADVICE.test(line))).toEqual([]);
  });
}

/** A gauge called "total" is the requirements' own; the other two are of the library that tells of the process. */
const ADVICE = /^(proxmox_operator_machines_total|process_\w+|nodejs_\w+) /;
