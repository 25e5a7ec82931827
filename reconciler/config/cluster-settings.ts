import { durationOf, milliseconds, parseCluster, type ClusterSpec } from '../../spec';
import { readVariable, setName, type Environment, type Variables } from './cluster-variables';

/** What the environment may say in the words of a cluster's spec. */
export type Settings = Pick<ClusterSpec, 'endpoints' | 'fingerprint' | 'taskTimeout' | 'pollCeiling'>;

interface FaultText {
  variable: string;
  fault: string;
  /** The part of a wrong value that is no secret whatever somebody put there. */
  shown: (text: string) => string | undefined;
}

const short = (text: string): string | undefined => (text.length > 12 ? undefined : text);

/** How each fault is reported. No value is shown whole: it may be what belongs into another variable. */
const FAULT_TEXTS: Readonly<Record<string, FaultText>> = {
  endpoints: { variable: 'ENDPOINT', fault: 'invalid endpoint URL', shown: hostPart },
  fingerprint: { variable: 'FINGERPRINT', fault: 'invalid fingerprint', shown: () => undefined },
  taskTimeout: { variable: 'TASK_TIMEOUT', fault: 'invalid duration', shown: short },
  pollCeiling: { variable: 'TASK_POLL_INTERVAL', fault: 'invalid duration', shown: short },
};

/** Reads the settings that are no secret, each checked as it would be in a spec. */
export function settingsOf({ prefix, values, faults }: Variables, environment: Environment): Settings {
  const said = {
    name: 'environment',
    endpoints: values.ENDPOINT === undefined ? undefined : addressesIn(values.ENDPOINT),
    fingerprint: values.FINGERPRINT,
    taskTimeout: duration(readVariable('PVE_TASK_TIMEOUT', environment, faults)),
    pollCeiling: duration(readVariable('PVE_TASK_POLL_INTERVAL', environment, faults)),
    // the shortest wait follows the longest down: here only the interval itself is judged
    pollFloor: '1ms',
  };
  const parsed = parseCluster(said);
  if (parsed.ok) return parsed.value;
  for (const { at, allowed, remedy } of parsed.problems) {
    const [, field = '', entry] = at.map(String);
    const { variable, fault, shown } = FAULT_TEXTS[field] ?? {
      variable: field,
      fault: 'invalid value',
      shown: short,
    };
    const part = shown(textIn(said, field, entry));
    const place = setName((variable.startsWith('TASK_') ? 'PVE_' : prefix) + variable, environment);
    faults.push(`${place}: ${fault}${givenText(part)}; allowed: ${allowed ?? 'another'}. ${remedy}`);
  }
  return {};
}

/** A comma too many names no address; where there is none, the text itself is reported as wrong. */
function addressesIn(text: string): string[] {
  const addresses = text.split(',').flatMap(part => part.trim() || []);
  return addresses.length > 0 ? addresses : [text];
}

function givenText(part: string | undefined): string {
  return part === undefined ? '' : ` ${JSON.stringify(part)}`;
}

function textIn(said: object, field: string, entry: string | undefined): string {
  const given: unknown = new Map<string, unknown>(Object.entries(said)).get(field);
  return String(Array.isArray(given) ? given[Number(entry ?? 0)] : given);
}

/** An address up to its host and port; nothing where a password may stand before them. */
function hostPart(text: string): string | undefined {
  const [host = ''] = /^(?:[a-z]+:\/\/)?[^/?#@]*/i.exec(text) ?? [];
  return text.includes('@') ? undefined : `${host}${host.length < text.length ? '…' : ''}`;
}

/** A number alone counts seconds. */
function duration(text: string | undefined): string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? `${text}s` : text;
}

/** The milliseconds of a variable that says a duration within these bounds; `otherwise` where it is not set. */
export function durationIn(
  variable: string,
  environment: Environment,
  { from, to, otherwise }: { from: string; to: string; otherwise: string },
  faults: string[],
): number {
  const given = readVariable(variable, environment, faults) ?? otherwise;
  const parsed = durationOf(from, to).safeParse(duration(given.trim()));
  if (parsed.success) return milliseconds(parsed.data);
  const name = setName(variable, environment);
  faults.push(
    `${name}: invalid duration${givenText(short(given))}; allowed: from "${from}" to "${to}", such as "${otherwise}".`,
  );
  return milliseconds(otherwise);
}
