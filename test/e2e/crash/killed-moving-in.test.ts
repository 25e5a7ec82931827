import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { World } from '../../../simulator';
import { foreignWrites } from '../../support/cluster/end-state';
import { lab, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { eachUntilDone } from '../../support/in-parallel';
import { heldState, HELD_VMIDS, heldWorld, marksOf } from '../../support/moving/held-guests';
import { shownGuests, unlike } from '../../support/moving/unlike';
import { start } from '../../support/processes/cli';
import { deaths, killedAt, type Death } from '../../support/processes/killed-runs';
import { turnsOf } from '../../support/turns';

/** Longer than any test: the request hangs until the cluster is closed. */
const FOR_EVER = 1_000_000_000;
const MARKS = { 300: 'shop this-0', 301: 'shop this-1', 302: 'shop db', 303: 'shop cache' };

let world: World;
let folder: string;
beforeAll(async () => {
  world = await heldWorld();
  folder = mkdtempSync(path.join(tmpdir(), 'killed-'));
  writeFileSync(path.join(folder, 'before.json'), heldState());
});
afterAll(() => rmSync(folder, { recursive: true }));

const adoptTo = (cluster: Lab, k: number) => {
  const [out, forget] = ['out.yaml', 'forget.tf.json'].map(name => path.join(folder, `${k}-${name}`));
  const state = ['--from-state', path.join(folder, 'before.json'), '--forget', forget!, '--yes', '--force'];
  const line = ['adopt', ...state, '--owner', 'shop', '--cluster', 'lab', '--form', 'yaml', '--out', out!];
  const running = start(line, programAccess(cluster.simulator));
  return { out: out!, forget: forget!, running };
};

const GOOD = {
  again: [0, ''],
  marks: MARKS,
  changed: [],
  foreign: [],
  machines: HELD_VMIDS.length,
  blocks: 3,
  plan: 0,
};

/** Kills the adoption, runs the same command again, and tells what came of it. */
async function killedOnce(cluster: Lab, { work, ...met }: Death, k: number) {
  const before = await shownGuests(cluster.simulator);
  cluster.simulator.ledger.reset();
  const effect = { kind: 'slow', ms: FOR_EVER, work } as const;
  cluster.simulator.faults.add({ path: '/**', ...met, after: k, effect });
  const { running } = adoptTo(cluster, k);
  const run = { kill: () => running.child.kill('SIGKILL'), ended: running.ended.then(() => undefined) };
  const wasKilled = await killedAt(cluster, run);
  const again = adoptTo(cluster, k);
  const { code, stderr } = await again.running.ended;
  const others = cluster.others.filter(id => !HELD_VMIDS.includes(id));
  const plan = start(['plan', '--check', '--spec', again.out], programAccess(cluster.simulator));
  const fault = {
    again: [code, code === 0 ? '' : `${k}: ${stderr}`],
    marks: marksOf(cluster),
    changed: unlike(before, await shownGuests(cluster.simulator)),
    foreign: foreignWrites({ ...cluster, others }),
    machines: readFileSync(again.out, 'utf8').match(/^ {2}- id: /gm)?.length,
    blocks: (JSON.parse(readFileSync(again.forget, 'utf8')) as { removed: unknown[] }).removed.length,
    plan: (await plan.ended).code,
  };
  return { wasKilled, fault };
}

/** Each death is at each request where KILLS=every says so; else after every fifth, and at each write. */
const FIFTH = 5;

it.each(Object.entries(deaths))(
  'guests move as well when the adoption is killed %s, and the same command ends it',
  async (_, death) => {
    let killed = 0;
    const dies = async (k: number): Promise<boolean> => {
      const cluster = await lab({ world: structuredClone(world), taskMs: 0 });
      try {
        const { wasKilled, fault } = await killedOnce(cluster, death, k);
        if (wasKilled) killed += 1;
        expect(fault).toEqual(GOOD);
        return !wasKilled;
      } finally {
        await cluster.close();
      }
    };
    await eachUntilDone(2, dies, death.methods ? undefined : turnsOf(0, FIFTH));
    expect(killed).toBeGreaterThan(3);
  },
);
