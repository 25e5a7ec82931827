import { converge } from '../../../reconciler/apply/converge';
import { destroyMachine } from '../../../reconciler/destroy/destroy';
import { ClusterReading } from '../../../reconciler/run/cluster-reading';
import type { ObservedCluster } from '../../../reconciler/observed';
import { Run } from '../../../reconciler/run/run';
import { Shared } from '../../../reconciler/run/shared';
import type { Pve } from '../../../reconciler/pve';
import { connect } from '../../../reconciler/pve';
import { MachineRun } from '../../../reconciler/apply/machine-run';
import type { World } from '../../../simulator';
import type { Json } from './lab';
import { desired, labWorld } from './lab';
import { labConnection } from './lab-connection';
import { takeWrites } from './program-access';
import { TOKEN as ROOT_TOKEN, startCluster } from './start-cluster';

/** One rule of access. */
export interface Rule {
  path: string;
  privileges: readonly string[];
  propagate?: boolean;
}

const TOKEN = 'ops@pve!tf';

/** A cluster whose caller is a token with separated privileges, and no more of them than a test gives it. */
export async function narrowLab(world: World = labWorld()) {
  world.access.users['ops@pve'] = { enable: true, tokens: { tf: { value: 'narrow', privsep: true } } };
  world.access.acl.push({
    path: '/',
    type: 'user',
    ugid: 'ops@pve',
    roleid: 'Administrator',
    propagate: true,
  });
  const simulator = await startCluster({ world, taskMs: 5, timeScale: 50 });
  const { signal } = new AbortController();
  const withRun = async <T>(work: (run: Run, pve: Pve) => Promise<T>, id = TOKEN): Promise<T> => {
    const config = labConnection(simulator.url, simulator.ca);
    const secret = id === TOKEN ? 'narrow' : ROOT_TOKEN.secret;
    const pve = connect({ ...config, credentials: { kind: 'token', id, secret } });
    try {
      return await work(
        await Run.open(new Shared(pve, desired([]).cluster), { report: () => undefined, signal }),
        pve,
      );
    } finally {
      await pve.close();
    }
  };
  const machineRun = (run: Run, machine: Json): MachineRun => {
    const [spec] = desired([machine]).machines;
    return new MachineRun(run, {
      spec: spec!,
      identity: { owner: 'team/lab', ids: [spec!.id] },
      secrets: {},
    });
  };
  return {
    simulator,
    world: simulator.world,
    /** Replaces what the token may do. */
    allow: (...rules: Rule[]) => {
      const { access } = simulator.world;
      access.acl = access.acl.filter(({ ugid }) => ugid !== TOKEN);
      rules.forEach(({ path, privileges, propagate = true }, index) => {
        access.roles[`test-${index}`] = [...privileges];
        access.acl.push({ path, type: 'token', ugid: TOKEN, roleid: `test-${index}`, propagate });
      });
    },
    /** Runs the `pveum` lines of a refusal. */
    pveum: (text: string) => {
      const { access } = simulator.world;
      for (const [, role = '', privileges = ''] of text.matchAll(/pveum role add (\S+) --privs (\S+)/g)) {
        access.roles[role] = privileges.split(',');
      }
      for (const [, path = '', roleid = ''] of text.matchAll(
        /pveum acl modify (\S+) --roles (\S+) --tokens 'ops@pve!tf'/g,
      )) {
        access.acl.push({ path, type: 'token', ugid: TOKEN, roleid, propagate: true });
      }
    },
    /** The plan of a machine, as the token gets it. */
    plan: (machine: Json) =>
      withRun(async run => {
        const looking = machineRun(run, machine);
        return looking.planner.plan(await looking.reader.observe());
      }),
    /** Brings a machine to its spec. `blindly`: without asking first what the token may do. The error's text, if any. */
    bring: async (machine: Json, { blindly = false, as = TOKEN } = {}): Promise<string | undefined> => {
      try {
        await withRun(async run => {
          if (blindly) {
            const { reading } = run;
            let known = { whole: reading.cluster, blind: blinded(reading.cluster) };
            const whole = Object.getOwnPropertyDescriptor(ClusterReading.prototype, 'cluster')!.get!;
            Object.defineProperty(reading, 'cluster', {
              get: () => {
                const read = whole.call(reading) as ObservedCluster;
                if (read !== known.whole) known = { whole: read, blind: blinded(read) };
                return known.blind;
              },
            });
          }
          await converge(machineRun(run, machine));
        }, as);
        return undefined;
      } catch (error) {
        return String(error);
      }
    },
    /** Destroys the machine `web`. The error's text, if any. */
    destroy: async (): Promise<string | undefined> => {
      try {
        await withRun(run => destroyMachine(run, { owner: 'team/lab', ids: ['web'] }));
        return undefined;
      } catch (error) {
        return String(error);
      }
    },
    /** The writes since the last call. */
    writes: () => takeWrites(simulator),
    close: () => simulator.close(),
  };
}

/** A reading that does not know what the caller may do. */
function blinded({ caller: _, ...cluster }: ObservedCluster): ObservedCluster {
  return cluster;
}

export type NarrowLab = Awaited<ReturnType<typeof narrowLab>>;
