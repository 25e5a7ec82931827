import type { Kubernetes } from './start-kubernetes';

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}
interface Role {
  metadata: { resourceVersion?: string };
  rules: Rule[];
}

/** Takes a verb away from the rules of a role that name a resource. Gives what gives it back. */
export function withoutVerb(
  { done }: Pick<Kubernetes, 'done'>,
  role: readonly string[],
  resource: string,
  verb: string,
): () => void {
  const whole = JSON.parse(done(['get', ...role, '-o', 'json'])) as Role;
  const rules = whole.rules.flatMap(rule => {
    if (!rule.resources.includes(resource)) return [rule];
    const others = rule.resources.filter(each => each !== resource);
    const verbs = rule.verbs.filter(each => each !== verb);
    const [left, lacking] = [
      { ...rule, resources: others },
      { ...rule, resources: [resource], verbs },
    ];
    return [left, lacking].filter(({ resources, verbs: some }) => resources.length > 0 && some.length > 0);
  });
  done(['replace', '-f', '-'], JSON.stringify({ ...whole, rules }));
  delete whole.metadata.resourceVersion;
  return () => void done(['replace', '-f', '-'], JSON.stringify(whole));
}

/** What rules allow, a line each: `patch machines.vitistack.io`. */
export const allowed = (rules: readonly (Rule & { resourceNames?: string[] })[]): string[] =>
  rules
    .flatMap(({ apiGroups, resources, verbs, resourceNames = [''] }) =>
      apiGroups.flatMap(group =>
        resources.flatMap(resource =>
          resourceNames.flatMap(name => verbs.map(verb => `${verb} ${resource}.${group} ${name}`.trim())),
        ),
      ),
    )
    .sort();
