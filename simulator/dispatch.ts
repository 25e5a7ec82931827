import type { Auth } from './access/authenticate';
import { permit } from './access/permit';
import { Answer } from './call';
import { Failure, GatewayFailure, deny, fail, failParameters } from './failure';
import { HANDLERS } from './handlers';
import type { Route } from './route';
import { checkParameters } from './schema/check';
import type { RawParameters } from './schema/check';
import type { Sim } from './sim';

/** One request as the wire understood it: authenticated, its parameters decoded, its path percent-decoded. */
export interface Request {
  method: string;
  path: string;
  /** Where method and path lead; undefined where Proxmox has nothing. */
  route: Route | undefined;
  params: RawParameters;
  auth: Auth;
  /** The node whose API was asked. */
  entry: string;
  upload?: { filename: string; data: Buffer };
}

/** Answers a request, or throws `Failure`. The order of the checks is Proxmox's: route, permission, node, schema. */
export async function dispatch(sim: Sim, request: Request): Promise<Answer> {
  const { route } = request;
  if (!route) throw new Failure(501, `Method '${request.method} ${request.path}' not implemented`);
  const { endpoint, placeholders } = route;
  const raw = withPlaceholders(request.params, placeholders);
  if (request.auth.viaToken && !endpoint.allowtoken) {
    deny(`URI '${request.path}' not available with API token, need proper ticket.\n`);
  }
  permit(sim, request.auth.user, endpoint, asText(raw));
  const node = endpoint.proxyto === undefined ? request.entry : nodeOf(placeholders['node'], request.entry);
  reach(sim, request.entry, node);
  const { params, lists } = checkParameters(endpoint, raw);
  const handler = HANDLERS[`${endpoint.method} ${endpoint.path}`];
  if (!handler) {
    throw new Failure(
      501,
      `Method '${request.method} ${request.path}' not implemented: the simulator has no such handler`,
    );
  }
  const upload = request.upload ? { upload: request.upload } : {};
  const user = request.auth.user ?? '';
  const answer = handler({ sim, endpoint, node, user, params, lists, ...upload });
  // only what another process works on can take too long for the one that waits
  const isPassedOn = endpoint.protected === true || node !== request.entry;
  const data: unknown = answer instanceof Promise && isPassedOn ? await patiently(sim, answer) : await answer;
  return data instanceof Answer ? data : new Answer(data ?? null, {});
}

const PATIENCE_MS = 30_000;

/** PVE: after 30 s the proxy gives up; the work goes on (behaviour.md §1). */
async function patiently(sim: Sim, answer: Promise<unknown>): Promise<unknown> {
  let callOff = (): void => undefined;
  const impatience = new Promise<never>((_, reject) => {
    callOff = sim.clock.after(PATIENCE_MS, () => reject(new GatewayFailure(596, 'Connection timed out')));
  });
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, impatience]);
  } finally {
    callOff();
  }
}

/** A parameter may repeat what the path says, not contradict it. */
function withPlaceholders(params: RawParameters, placeholders: Record<string, string>): RawParameters {
  for (const [name, value] of Object.entries(placeholders)) {
    const given = params[name];
    if (given !== undefined && String(given) !== value) {
      failParameters({ [name]: 'duplicate parameter (already defined in URI) with conflicting values!' });
    }
  }
  return { ...params, ...placeholders };
}

function asText(raw: RawParameters): Record<string, string> {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, String(value)]));
}

/** PVE: every node calls itself localhost too. */
function nodeOf(name: string | undefined, entry: string): string {
  return name === undefined || name === 'localhost' ? entry : name;
}

/** The hop from the node that was asked to the node that answers. */
function reach(sim: Sim, entry: string, node: string): void {
  if (node === entry) return;
  const target = sim.world.nodes.find(({ name }) => name === node);
  if (!target) {
    fail(
      `hostname lookup '${node}' failed - failed to get address info for: ${node}: Name or service not known`,
    );
  }
  if (!target.online) throw new GatewayFailure(595, 'No route to host');
  if (!target.apiUp) throw new GatewayFailure(595, 'Connection refused');
}
