import type { ClusterSpec } from '../spec';
import { parseCluster } from '../spec';
import type { Environment, Variables } from './config-variables';
import { readVariable } from './config-variables';

/** What the environment may say in the words of a cluster's spec. */
export type Settings = Pick<ClusterSpec, 'endpoints' | 'fingerprint' | 'taskTimeout' | 'pollCeiling'>;

/** How each fault is told. An endpoint may hold a password, so that its text is not shown when it has an `@`. */
const TOLD: Readonly<Record<string, { variable: string; fault: string }>> = {
  endpoints: { variable: 'ENDPOINT', fault: 'invalid endpoint URL' },
  fingerprint: { variable: 'FINGERPRINT', fault: 'invalid fingerprint' },
  taskTimeout: { variable: 'TASK_TIMEOUT', fault: 'invalid duration' },
  pollCeiling: { variable: 'TASK_POLL_INTERVAL', fault: 'invalid duration' },
};

/** Reads the settings that are no secret, each checked as it would be in a spec. */
export function settingsOf({ prefix, values, faults }: Variables, environment: Environment): Settings {
  const said = {
    name: 'environment',
    endpoints: values.ENDPOINT?.split(',').map(text => text.trim()),
    fingerprint: values.FINGERPRINT,
    taskTimeout: duration(readVariable('PVE_TASK_TIMEOUT', environment, faults)),
    pollCeiling: duration(readVariable('PVE_TASK_POLL_INTERVAL', environment, faults)),
  };
  const parsed = parseCluster(said);
  if (parsed.ok) return parsed.value;
  for (const { path, value, allowed, remedy } of parsed.problems) {
    const field = /^cluster\.([a-zA-Z]+)/.exec(path)?.[1] ?? '';
    const { variable, fault } = TOLD[field] ?? { variable: field, fault: 'invalid value' };
    const shown = value === undefined || value.includes('@') ? '' : ` ${value}`;
    const place = variable.startsWith('TASK_') ? 'PVE_' : prefix;
    faults.push(`${place}${variable}: ${fault}${shown}; allowed: ${allowed ?? 'another'}. ${remedy}`);
  }
  return {};
}

/** A number alone counts seconds. */
function duration(text: string | undefined): string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? `${text}s` : text;
}
