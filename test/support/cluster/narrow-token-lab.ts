import { converge } from '../../../reconciler/life/converge';
import { MachineRun } from '../../../reconciler/life/machine-run';
import type { ObservedCluster } from '../../../reconciler/observed';
import { ClusterReading } from '../../../reconciler/run/cluster-reading';
import type { Run } from '../../../reconciler/run/run';
import { wantedOf } from '../../../reconciler/run/wanted';
import type { World } from '../../../simulator';
import type { Json } from './lab';
import { desired, lab, labWorld } from './lab';
import { takeWrites } from './program-access';

/** One rule of access. */
export interface Rule {
  path: string;
  privileges: readonly string[];
  propagate?: boolean;
}

export const NARROW = { id: 'ops@pve!tf', secret: 'narrow' };

/** A lab whose caller is a token with separated privileges, and no more of them than a test gives it. */
export async function narrowTokenLab(world: World = labWorld()) {
  world.access.users['ops@pve'] = { enable: true, tokens: { tf: { value: NARROW.secret, privsep: true } } };
  world.access.acl.push({
    path: '/',
    type: 'user',
    ugid: 'ops@pve',
    roleid: 'Administrator',
    propagate: true,
  });
  const { simulator, withRun, destroy, close } = await lab({ world, as: NARROW, taskMs: 5, timeScale: 50 });
  return {
    simulator,
    world: simulator.world,
    /** Replaces what the token may do. */
    allow: (...rules: Rule[]) => {
      const { access } = simulator.world;
      access.acl = access.acl.filter(({ ugid }) => ugid !== NARROW.id);
      rules.forEach(({ path, privileges, propagate = true }, index) => {
        access.roles[`test-${index}`] = [...privileges];
        access.acl.push({ path, type: 'token', ugid: NARROW.id, roleid: `test-${index}`, propagate });
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
        access.acl.push({ path, type: 'token', ugid: NARROW.id, roleid, propagate: true });
      }
    },
    /** The plan of a machine, as the token gets it. */
    plan: (machine: Json) =>
      withRun(async run => {
        const looking = machineRun(run, machine);
        return looking.planner.planOnAll(await looking.reader.observe());
      }),
    /** Brings a machine to its spec. `blindly`: without asking first what the token may do. The error's text, if any. */
    bring: (machine: Json, { blindly = false, as = NARROW } = {}): Promise<string | undefined> =>
      errorOf(
        withRun(run => {
          if (blindly) blind(run);
          return converge(machineRun(run, machine));
        }, as),
      ),
    /** Destroys the machine `web`. The error's text, if any. */
    destroy: (): Promise<string | undefined> => errorOf(destroy('web')),
    /** The writes since the last call. */
    writes: () => takeWrites(simulator),
    close,
  };
}

export type NarrowTokenLab = Awaited<ReturnType<typeof narrowTokenLab>>;

function machineRun(run: Run, machine: Json): MachineRun {
  const state = desired([machine]);
  return new MachineRun(run, wantedOf(state, state.machines[0]!, {}));
}

/** From now on no reading of the run knows what the caller may do. */
function blind({ reading }: Run): void {
  const blinded = ({ caller: _, ...cluster }: ObservedCluster): ObservedCluster => cluster;
  const whole = Object.getOwnPropertyDescriptor(ClusterReading.prototype, 'cluster')!.get!;
  let known = { whole: reading.cluster, blind: blinded(reading.cluster) };
  Object.defineProperty(reading, 'cluster', {
    get: () => {
      const read = whole.call(reading) as ObservedCluster;
      if (read !== known.whole) known = { whole: read, blind: blinded(read) };
      return known.blind;
    },
  });
}

async function errorOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return String(error);
  }
}
