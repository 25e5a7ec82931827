import type { PlanDocument } from './plan/plan-document';
import type { MachineParts } from './plan/machine-parts';
import { triggersOf } from './plan/triggers-of';

/** What a review is of: for its head. */
export interface About {
  /** Whose machines they are: `stack/cluster/workspace`, unless the code says another owner. */
  owners: string[];
  /** When the plan was made, as the plan tells it; undefined: it does not, or there is no plan. */
  plannedAt: string | undefined;
  commit: string | undefined;
}

/** What a plan tells of itself. */
export function aboutPlan({ timestamp }: PlanDocument, machines: readonly MachineParts[]): About {
  const owners = machines.flatMap(({ answers, entry, standing }) => {
    const then = standing?.values ?? entry?.change.before;
    const type = standing?.type ?? entry?.type ?? '';
    const owner = answers?.query['owner'] ?? triggersOf(type, then)?.['owner'];
    return typeof owner === 'string' ? [owner] : [];
  });
  return { owners: [...new Set(owners)].sort(), plannedAt: timestamp, commit: undefined };
}

/** The default owner of a cluster in words; an owner that the code chose stands as it is. */
export function ownerText(owner: string, clusters: readonly string[]): string {
  const [stack = '', cluster = '', workspace, ...more] = owner.split('/');
  const isDefault = workspace !== undefined && more.length === 0 && clusters.includes(cluster);
  return isDefault ? `stack ${stack}, workspace ${workspace}` : `owner ${owner}`;
}

/** When it was planned, and of which commit; nothing where nobody tells. */
export function originText({ plannedAt, commit }: About): string[] {
  const time = plannedAt?.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/, '$1 $2 UTC');
  return [
    ...(time === undefined ? [] : [`planned ${time}`]),
    ...(commit === undefined ? [] : [`commit ${commit}`]),
  ];
}
