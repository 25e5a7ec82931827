import type { Endpoint } from '../schema/endpoint';
import { ENDPOINTS } from '../schema/endpoint';

export interface Route {
  endpoint: Endpoint;
  /** What stood in the path's placeholders. */
  placeholders: Record<string, string>;
}

interface Branch {
  literals: Map<string, Branch>;
  wildcard?: { name: string; branch: Branch };
  endpoints: Map<string, Endpoint>;
}

const newBranch = (): Branch => ({ literals: new Map(), endpoints: new Map() });

const root = newBranch();
for (const endpoint of ENDPOINTS) plant(endpoint);

function plant(endpoint: Endpoint): void {
  let branch = root;
  for (const segment of segmentsOf(endpoint.path)) branch = grow(branch, segment);
  branch.endpoints.set(endpoint.method, endpoint);
}

function grow(branch: Branch, segment: string): Branch {
  if (segment.startsWith('{')) {
    branch.wildcard ??= { name: segment.slice(1, -1), branch: newBranch() };
    return branch.wildcard.branch;
  }
  const known = branch.literals.get(segment) ?? newBranch();
  branch.literals.set(segment, known);
  return known;
}

function segmentsOf(path: string): string[] {
  // PVE tolerates doubled and trailing slashes (behaviour.md §1)
  return path.split('/').filter(segment => segment !== '');
}

/** The endpoint that answers this method and percent-decoded path, below /api2/json; undefined where PVE has none. */
export function findRoute(method: string, path: string): Route | undefined {
  let branch = root;
  const placeholders: Record<string, string> = {};
  const segments = segmentsOf(path);
  for (const [index, segment] of segments.entries()) {
    const literal = branch.literals.get(segment);
    if (literal) {
      branch = literal;
      continue;
    }
    if (!branch.wildcard) return undefined;
    const { name } = branch.wildcard;
    branch = branch.wildcard.branch;
    // a volume id or a network holds slashes: the last placeholder of such a path takes the rest
    if (name === 'volume' || name === 'cidr') {
      placeholders[name] = segments.slice(index).join('/');
      break;
    }
    placeholders[name] = segment;
  }
  const endpoint = branch.endpoints.get(method);
  return endpoint && { endpoint, placeholders };
}
