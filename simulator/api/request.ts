import type { Auth } from '../access/authenticate';
import { dispatch, isPassedOn } from './dispatch';
import { Failure } from '../failure';
import type { SetFault } from '../faults/faults';
import { perform } from '../faults/perform';
import type { Random } from '../random';
import type { Route } from './route';
import { findRoute } from './route';
import type { Sim } from '../cluster/sim';
import type { Site } from '../control/site';
import type { Asked } from './body';
import { decodeParameters } from './body';
import type { Outcome } from '../wire/connection';
import type { Format } from './envelope';
import { wrapAnswer, wrapFailure } from './envelope';
import type { Head } from '../wire/head';
import { withPatience } from './proxy-timeout';
import type { Reply } from '../wire/reply';
import { plainReply } from '../wire/reply';

/** An API request that was let in: who sends it, where to, in which format. */
export interface Entered {
  head: Head;
  /** Below the format, percent-decoded. */
  path: string;
  query: string;
  format: Format;
  auth: Auth;
  /** The node that is asked. */
  node: string;
  random: Random;
  /** When its head had come, in real milliseconds. */
  started: number;
}

/** Answers an API request whose body has come, under the faults that meet it, and writes it into the ledger. Never fails. */
export async function answerApi(site: Site, entered: Entered, body: Buffer): Promise<Outcome> {
  const { head, path, query, auth } = entered;
  const { method } = head;
  await site.before({ method, path, user: auth.user });
  const route = findRoute(method, path);
  const struck = site.faults.meet({ method, path, user: auth.user });
  const decode = (): Asked => decodeParameters(head, query, body, auth.isUpload);
  const answered = answer(site, entered, { route, struck, decode });
  const waits = route !== undefined && isPassedOn(route, entered.node);
  const outcome = await (waits ? withPatience(site.sim.clock, answered) : answered);
  record(site, entered, { route, struck, outcome, bytesIn: body.length });
  return outcome;
}

interface Work {
  route: Route | undefined;
  struck: SetFault[];
  decode(): Asked;
}

async function answer(site: Site, entered: Entered, { route, struck, decode }: Work): Promise<Outcome> {
  const { head, path, format, auth, node, random } = entered;
  let asked: Asked;
  try {
    asked = decode();
  } catch (error) {
    const { status, message } = asFailure(site.sim, error);
    // PVE: an upload with its fields in another order gets no text
    return status === 400 ? { status, reason: message } : plainReply(status, message);
  }
  const work = async (): Promise<Reply> => {
    try {
      const request = { method: head.method, path, route, auth, entry: node, ...asked };
      return wrapAnswer(format, await dispatch(site.sim, request), random);
    } catch (error) {
      return wrapFailure(format, asFailure(site.sim, error), random);
    }
  };
  if (struck.length === 0) return work();
  const refuse = (failure: Failure): Reply => wrapFailure(format, failure, random);
  const effects = struck.map(({ fault }) => fault.effect);
  return perform(site.sim, effects, { path, user: auth.user, refuse, work });
}

interface Result {
  route: Route | undefined;
  struck: SetFault[];
  outcome: Outcome;
  bytesIn: number;
}

function record({ sim, ledger }: Site, entered: Entered, { route, struck, outcome, bytesIn }: Result): void {
  const { head, path, auth, started } = entered;
  const broken = 'broken' in outcome;
  const body = broken ? undefined : outcome.body;
  ledger.record({
    at: sim.clock.now(),
    method: head.method,
    path,
    ...(route ? { route: route.endpoint.path } : {}),
    ...(auth.user === undefined ? {} : { user: auth.user }),
    status: broken ? 0 : outcome.status,
    reason: broken ? 'connection broken off' : outcome.reason,
    ms: performance.now() - started,
    bytesIn,
    bytesOut: typeof body === 'string' ? Buffer.byteLength(body) : (body?.length ?? 0),
    write: head.method !== 'GET',
    ...(struck.length > 0 ? { faults: struck.map(({ id }) => id) } : {}),
  });
}

/** A defect of ours must not take the cluster down: it becomes a 500 that says what it is. */
export function asFailure({ defects }: Sim, error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(500, defects.note(error));
}
