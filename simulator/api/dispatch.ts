import type { Auth } from '../access/authenticate';
import { permit } from '../access/permit';
import { Answer } from '../cluster/call';
import { Failure, GatewayFailure, deny, fail, failParameters } from '../failure';
import { HANDLERS } from './handlers';
import type { Route } from './route';
import { checkParameters } from '../schema/check';
import type { RawParameters } from '../schema/check';
import type { Sim } from '../cluster/sim';

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
  const node = nodeFor(route, request.entry);
  reach(sim, request.entry, node);
  const { params, lists, empty } = checkParameters(endpoint, raw);
  const handler = HANDLERS[`${endpoint.method} ${endpoint.path}`];
  if (!handler) {
    throw new Failure(
      501,
      `Method '${request.method} ${request.path}' not implemented: the simulator has no such handler`,
    );
  }
  const upload = request.upload ? { upload: request.upload } : {};
  const user = request.auth.user ?? '';
  const data: unknown = await handler({ sim, endpoint, node, user, params, lists, empty, ...upload });
  return data instanceof Answer ? data : new Answer(data ?? null, {});
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
  const given = Object.entries(raw).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([key, value]) => [key, String(value)]));
}

/** The node that executes: the one in the path where the call is passed on, else the one that was asked. */
function nodeFor({ endpoint, placeholders }: Route, entry: string): string {
  const { node } = placeholders;
  // PVE: every node calls itself localhost too
  return endpoint.proxyto === undefined || node === undefined || node === 'localhost' ? entry : node;
}

/** Whether another process or another node does the work, so that the one that was asked only waits for it. */
export function isPassedOn(route: Route, entry: string): boolean {
  return route.endpoint.protected === true || nodeFor(route, entry) !== entry;
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
