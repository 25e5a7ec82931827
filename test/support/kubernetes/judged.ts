import { RESOURCE_KINDS } from '../../../reconciler/kubernetes/kinds';
import { judge } from '../../../reconciler/kubernetes/resources/judge';
import { planOf } from '../../../reconciler/kubernetes/resources/plan-of-resources';
import { resourceOf, type Resource } from '../../../reconciler/kubernetes/resources/resource';

export type Json = Record<string, unknown>;
let last = 0;

export function resource(kindName: string, name: string, spec: Json, metadata: Json = {}): Resource {
  const kind = RESOURCE_KINDS.find(each => each.kind === kindName)!;
  last += 1;
  const json = {
    ...{ apiVersion: `${kind.group}/${kind.version}`, kind: kindName, spec },
    metadata: {
      ...{
        name,
        namespace: 'team-a',
        uid: `uid-${name}-${kindName}`,
        resourceVersion: String(last),
        generation: 1,
      },
      creationTimestamp: new Date(last * 1000).toISOString(),
      ...metadata,
    },
  };
  return resourceOf(kind, json)!;
}

export const lab = (name = 'lab', spec: Json = {}): Resource =>
  resource('ProxmoxCluster', name, {
    endpoint: `https://${name}.example.com:8006`,
    credentials: {
      ...{ username: 'root@pam', tokenID: 'full' },
      tokenSecret: { secretRef: { name: 'access', key: 'token-secret' } },
    },
    ...spec,
  });
export const machine = (name: string, spec: Json = {}, metadata: Json = {}): Resource =>
  resource('Machine', name, { image: { blank: true }, ...spec }, metadata);

const SECRETS: Readonly<Record<string, Map<string, string>>> = {
  access: new Map([
    ['token-secret', 'x'],
    ['path', '/etc/shadow'],
  ]),
  whole: new Map([
    ['token_id', 'root@pam!full'],
    ['token_secret', 'x'],
    ['PVE_CA_BUNDLE', '/etc/shadow'],
  ]),
};
const secretOf = (_: string, name: string) => Promise.resolve(SECRETS[name]);

export const judged = (...resources: Resource[]) => judgedIn({}, ...resources);
export async function judgedIn(environment: Record<string, string>, ...resources: Resource[]) {
  const { plan } = await wholeIn(environment, resources);
  return {
    working: plan.working.map(({ spec, state }) => `${state.cluster.name}/${spec.id}`),
    faults: Object.fromEntries(
      resources.flatMap(({ name, uid }) => {
        const fault = plan.faults.get(uid);
        return fault === undefined ? [] : [[name, `${fault.reason}: ${fault.message}`]];
      }),
    ),
    deleted: plan.deleted.map(({ resource: { name }, cluster, why }) => ({ name, cluster, why })),
  };
}
export const judgedWhole = (...resources: Resource[]) => wholeIn({}, resources);
async function wholeIn(environment: Record<string, string>, resources: Resource[]) {
  const given = { owner: 'manifests', environment, secretOf, apart: { clusterNamespace: 'shared' } };
  const all = await judge(resources, { ...given, whyNoSecret: () => undefined });
  return { judged: all, plan: planOf(resources, all, () => 'lab AA') };
}
export const text = (part: string): string => expect.stringContaining(part) as string;
