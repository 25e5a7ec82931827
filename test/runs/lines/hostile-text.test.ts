import type { World } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import { alteredCluster } from '../../support/cluster/altered-cluster';
import type { CliLab, Ran } from '../../support/processes/cli';
import { lineLab, runHere } from '../../support/runs/line-lab';
import { differs, planOf } from '../../support/review/plan-document';
import { HOSTILE, hostilely, strangeIn, textsIn, understood } from '../../support/cluster/hostile-text';

const web = { id: 'web', image: { template: 'debian-12' }, cpu: { cores: 2 }, agent: true };
const changed = { ...web, cpu: { cores: 3 }, description: 'ours', disks: [{ name: 'data', size: '1Gi' }] };

/** Makes the machine in peace, then lets a stranger speak for its cluster. */
async function amongStrangers(work: (lab: CliLab, env: Record<string, string>) => Promise<void>) {
  const world: World = defaultWorld(2);
  const lab = await lineLab({ world });
  const server = await alteredCluster(lab.simulator, hostilely, understood);
  try {
    const made = await lab.people('reconcile', [web]);
    expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
    await work(lab, server.access);
  } finally {
    await server.close();
    await lab.close();
  }
}

const clean = (ran: Ran): string[] => [...strangeIn(ran.stdout), ...strangeIn(ran.stderr)];

/** Verbs, each with a part of what it must have shown: a test that sees none of the text proves nothing. */
const VERBS: [string, (lab: CliLab, env: Record<string, string>) => Promise<Ran>][] = [
  ['plan', (lab, env) => lab.people('plan', [changed], [], env)],
  ['plan --json', (lab, env) => lab.people('plan', [changed], ['--json'], env)],
  ...['table', 'wide', 'json', 'yaml'].map((form): (typeof VERBS)[number] => [
    `status -o ${form}`,
    (lab, env) => lab.people('status', [web], ['-o', form], env),
  ]),
  ['facts', (lab, env) => factsOf(lab, env)],
  ['facts of the cluster', (lab, env) => factsOf(lab, env, '')],
  ['observe', (lab, env) => observeOf(lab, env)],
  ['reconcile', (lab, env) => lab.people('reconcile', [changed], [], env)],
  ['reconcile --json', (lab, env) => lab.people('reconcile', [changed], ['--json'], env)],
  ['apply', (lab, env) => lab.apply(changed, { env })],
  [
    'apply, as JSON lines',
    (lab, env) => lab.apply(changed, { env: { ...env, LOG_FORMAT: 'json', LOG_LEVEL: 'debug' } }),
  ],
  ['destroy', (lab, env) => lab.destroy('web', { entry: '', env })],
];

const query = { protocol: '1', cluster: '{"name":"lab"}', owner: 'team/lab' };

function factsOf({ access }: CliLab, env: Record<string, string>, machine = 'web'): Promise<Ran> {
  const asked = { ...query, ...(machine === '' ? {} : { machine }) };
  return runHere(['facts'], { ...access, ...env }, JSON.stringify(asked));
}

function observeOf({ access }: CliLab, env: Record<string, string>): Promise<Ran> {
  const asked = { ...query, 'spec.web': JSON.stringify(changed) };
  return runHere(['observe'], { ...access, ...env }, JSON.stringify(asked));
}

test('what strangers write is visible in every output of every verb, and forges no line', () =>
  amongStrangers(async (lab, env) => {
    const shown: string[] = [];
    for (const [verb, call] of VERBS) {
      const ran = await call(lab, env);
      expect([verb, ran.code, clean(ran)]).toEqual([verb, expect.any(Number), []]);
      expect(`${verb}: ${ran.stdout}${ran.stderr}`).not.toMatch(/\n\s+at .*:\d+:\d+/);
      if (/\\u001b|\\\\u001b/.test(ran.stdout + ran.stderr)) shown.push(verb);
    }
    expect(shown).toEqual(
      expect.arrayContaining(['plan', 'plan --json', 'status -o wide', 'observe', 'apply']),
    );
  }));

test('Terraform is given texts that it may show: the values are clean, not only their JSON', () =>
  amongStrangers(async (lab, env) => {
    for (const ran of [await factsOf(lab, env), await factsOf(lab, env, ''), await observeOf(lab, env)]) {
      expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
      const told = JSON.parse(ran.stdout) as Record<string, string>;
      const values = Object.entries(told);
      expect(values.flatMap(([, text]) => strangeIn(text))).toEqual([]);
    }
    const facts = JSON.parse((await factsOf(lab, env)).stdout) as Record<string, string>;
    expect(textsIn(Object.values(facts).map(text => JSON.parse(text) as unknown)).flatMap(unseenIn)).toEqual(
      [],
    );
    expect(JSON.parse(facts['ipAddresses'] ?? '')).toEqual(['10.1.2.3']);
  }));

const unseenIn = (text: string): string[] => strangeIn(text).filter(sign => sign.startsWith('U+'));

test.each(['text', 'markdown', 'json', 'html'])('a plan of Terraform, reviewed as %s', async form => {
  const change = { field: `name${HOSTILE}`, from: HOSTILE, to: HOSTILE, effect: 'restart' };
  const more = { does: [HOSTILE] };
  const plan = planOf({
    web: { ...differs('restart', [change], more), node: `pve1${HOSTILE}` },
    db: { status: 'refused', effect: 'refused', refusal: `no${HOSTILE.replaceAll('\n', '')}` },
    [`odd${HOSTILE}`]: {},
  });
  const ran = await runHere(['review', '--format', form], {}, plan);
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toContain('u001b');
  expect(form === 'html' ? unseenIn(ran.stdout) : strangeIn(ran.stdout)).toEqual([]);
});
