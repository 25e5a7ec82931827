import { closest } from '../world-file/closest';
import { NUMBERS, TEXTS } from './option-table';
import { UsageError } from './usage-error';

const PREFIX = 'PVE_SIM_';

/** The variable of an option. */
export const variableOf = (name: string): string => `${PREFIX}${name.toUpperCase().replaceAll('-', '_')}`;

const NAMES = new Map([...Object.keys(TEXTS), ...Object.keys(NUMBERS)].map(name => [variableOf(name), name]));

/** What the environment says of the options. An empty value is none. Fails at a name that no option has. */
export function readVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const set = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith(PREFIX) && value !== undefined && value !== '' ? [[name, value] as const] : [],
  );
  return Object.fromEntries(set.map(([name, value]) => [optionOf(name, value), value]));
}

function optionOf(name: string, value: string): string {
  // what Kubernetes sets in each pod beside a service of the name pve-sim
  if (/^tcp:\/\//.test(value) || /^PVE_SIM_(SERVICE_|PORT_\d)/.test(name))
    throw new UsageError(
      `${name} is a link to a service of Kubernetes: set enableServiceLinks: false, or name the service otherwise`,
    );
  const option = NAMES.get(name);
  if (option !== undefined) return option;
  // without what all have in common, which would make each of them near
  const near = closest(
    name.slice(PREFIX.length),
    [...NAMES.keys()].map(known => known.slice(PREFIX.length)),
  );
  throw new UsageError(
    `Unknown variable '${name}'. ${near === undefined ? '--help lists them.' : `Did you mean ${PREFIX}${near}?`}`,
  );
}
