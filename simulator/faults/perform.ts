import { applyEvent } from '../events/apply';
import type { WorldEvent } from '../events/event';
import { Failure } from '../failure';
import type { Sim } from '../cluster/sim';
import type { Outcome } from '../wire/connection';
import type { Reply } from '../wire/reply';
import type { Effect } from './fault';

/** The request as far as effects look at it. */
export interface Struck {
  path: string;
  user: string | undefined;
  /** Wraps a failure in the format that the client asked for. */
  refuse(failure: Failure): Reply;
  /** Does what the request asks. Never fails. */
  work(): Promise<Reply>;
}

/** Does the request under these effects, in their order. Those that keep the work from being done come first. */
export async function perform(sim: Sim, effects: Effect[], struck: Struck): Promise<Outcome> {
  for (const effect of effects) {
    const outcome = await before(sim, effect, struck);
    if (outcome) return outcome;
  }
  const reply = await struck.work();
  for (const effect of effects) {
    const outcome = await after(sim, effect, reply);
    if (outcome) return outcome;
  }
  return reply;
}

async function before(sim: Sim, effect: Effect, struck: Struck): Promise<Outcome | undefined> {
  switch (effect.kind) {
    case 'answer':
      return struck.refuse(new Failure(effect.status, effect.text, effect.errors));
    case 'gateway':
      return effect.work === 'done' ? undefined : { status: effect.status, reason: effect.text };
    case 'reset':
      return effect.work === 'done' ? undefined : { broken: 'silent' };
    case 'slow':
      return effect.work === 'done' ? undefined : void (await sim.clock.sleep(effect.ms));
    case 'lock-timeout':
      return struck.refuse(new Failure(500, lockText(struck.path)));
    case 'token-revoked':
      revoke(sim, struck.user);
      return { status: 401, reason: 'Authentication failed!' };
    case 'event':
      return void happen(sim, effect.event);
    case 'half':
      return undefined;
  }
}

/** An event that cannot happen, as on a guest that is gone, changes nothing but is reported. */
function happen(sim: Sim, event: WorldEvent): void {
  try {
    applyEvent(sim, event);
  } catch (error) {
    process.stderr.write(
      `a fault could not happen: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

async function after(sim: Sim, effect: Effect, reply: Reply): Promise<Outcome | undefined> {
  if (effect.kind === 'half') return { broken: 'half', reply };
  if (!('work' in effect) || effect.work !== 'done') return undefined;
  if (effect.kind === 'slow') return void (await sim.clock.sleep(effect.ms));
  return effect.kind === 'reset' ? { broken: 'silent' } : { status: effect.status, reason: effect.text };
}

/** PVE: what a request says that waited in vain for a guest's lock file. */
function lockText(path: string): string {
  const vmid = /\/qemu\/(\d+)/.exec(path)?.[1] ?? '0';
  return `can't lock file '/var/lock/qemu-server/lock-${vmid}.conf' - got timeout`;
}

function revoke(sim: Sim, user: string | undefined): void {
  const [owner = '', tokenid = ''] = (user ?? '').split('!');
  delete sim.world.access.users[owner]?.tokens[tokenid];
}
