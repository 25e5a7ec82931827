import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { World } from '../../../simulator';
import { foreignWrites } from '../cluster/end-state';
import { lab, type Lab } from '../cluster/lab';
import { programAccess } from '../cluster/program-access';
import { start } from '../processes/cli';
import { killedAt, type Death } from '../processes/killed-runs';
import { marksOf } from './held-guests';
import { shownGuests, unlike } from './unlike';

/** Longer than any test: the request hangs until the cluster is closed. */
const FOR_EVER = 1_000_000_000;

/** Guests that another tool holds, and what they are once they are moved. */
export interface Move {
  world: World;
  /** The state of the other tool, as text. */
  state: string;
  /** The owner and the id of each machine, by its number. */
  marks: Record<number, string>;
  /** How many resources the state has: each is to be forgotten. */
  resources: number;
}

/** A folder for the files of moves that are killed. */
export class KilledMoves {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'killed-'));

  constructor(private readonly move: Move) {
    writeFileSync(path.join(this.folder, 'before.json'), move.state);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** Kills an adoption at its request `k`, runs the same command again, and holds its end against a good one. */
  async dies(death: Death, k: number): Promise<boolean> {
    const cluster = await lab({ world: structuredClone(this.move.world), taskMs: 0 });
    try {
      const { wasKilled, end } = await this.killedOnce(cluster, death, k);
      expect({ k, ...end }).toEqual({ k, ...this.goodEnd() });
      return wasKilled;
    } finally {
      await cluster.close();
    }
  }

  private goodEnd() {
    const { marks, resources } = this.move;
    const machines = Object.keys(marks).length;
    return { code: 0, stderr: '', marks, changed: [], foreign: [], machines, blocks: resources, plan: 0 };
  }

  private adopt(cluster: Lab, k: number) {
    const [out, forget] = ['out.yaml', 'forget.tf.json'].map(name => path.join(this.folder, `${k}-${name}`));
    const state = ['--from-state', path.join(this.folder, 'before.json'), '--forget', forget!];
    const rest = ['--yes', '--force', '--owner', 'shop', '--cluster', 'lab', '--form', 'yaml', '--out', out!];
    return {
      out: out!,
      forget: forget!,
      running: start(['adopt', ...state, ...rest], programAccess(cluster.simulator)),
    };
  }

  private async killedOnce(cluster: Lab, { work, ...met }: Death, k: number) {
    const { simulator } = cluster;
    const before = await shownGuests(simulator);
    simulator.ledger.reset();
    const effect = { kind: 'slow', ms: FOR_EVER, work } as const;
    simulator.faults.add({ path: '/**', ...met, after: k, effect });
    const { running } = this.adopt(cluster, k);
    const wasKilled = await killedAt(cluster, {
      kill: () => running.child.kill('SIGKILL'),
      ended: running.ended.then(() => undefined),
    });
    const again = this.adopt(cluster, k);
    const { code, stderr } = await again.running.ended;
    const others = cluster.others.filter(id => !(id in this.move.marks));
    const plan = start(['plan', '--check', '--spec', again.out], programAccess(simulator));
    const end = {
      code,
      stderr: code === 0 ? '' : stderr,
      marks: marksOf(cluster),
      changed: unlike(before, await shownGuests(simulator)),
      foreign: foreignWrites({ ...cluster, others }),
      machines: readFileSync(again.out, 'utf8').match(/^ {2}- id: /gm)?.length,
      blocks: (JSON.parse(readFileSync(again.forget, 'utf8')) as { removed: unknown[] }).removed.length,
      plan: (await plan.ended).code,
    };
    return { wasKilled, end };
  }
}
