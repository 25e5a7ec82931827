import type { Row } from '../record/shape';
import { isRow, rowOf, rowsOf } from '../record/shape';

/** A step of a recording, as test/contract/recordings/FORMAT.md describes it. */
export interface Step {
  n: number;
  as: string;
  method: string;
  path: string;
  params: Row;
  query: Row;
  encoding?: string;
  rawbody?: string;
  headers: Record<string, string>;
  noCsrf: boolean;
  file?: { name: string; size?: number; fill?: number; text?: string };
  wait: boolean;
  /** Seconds. */
  delay: number;
  /** Seconds. */
  eventually: number;
  capture: { name: string; path: string; re?: string }[];
  control?: { action: string; node: string };
  expect: { status: number; reason?: string; body?: unknown; text?: string; task?: Row };
}

export interface Scenario {
  name: string;
  steps: Step[];
}

/** Whether a document is meant as a scenario at all. */
export const isScenario = (json: unknown): json is Row => isRow(json) && Array.isArray(json['steps']);

/** A scenario from its file. Fails with the step and what is wrong in it. */
export function readScenario(json: unknown): Scenario {
  if (!isScenario(json)) throw new Error('it is no scenario: it has no list of steps');
  return { name: String(json['name'] ?? 'scenario'), steps: rowsOf(json['steps']).map(readStep) };
}

function readStep(row: Row, index: number): Step {
  const n = typeof row['n'] === 'number' ? row['n'] : index + 1;
  const control = row['control'];
  const expect = rowOf(row['expect']);
  const method = textIn(row, 'method') ?? '';
  const path = textIn(row, 'path') ?? '';
  if (!isRow(control) && !(/^[A-Z]{3,10}$/.test(method) && /^(\/|$)/.test(path)))
    throw new Error(`step ${n} needs a method, such as GET, and a path that begins with /`);
  if (!isRow(control) && typeof expect['status'] !== 'number')
    throw new Error(`step ${n} does not say which status is expected`);
  return {
    n,
    as: textIn(row, 'as') ?? 'root',
    method,
    path,
    params: rowOf(row['params']),
    query: rowOf(row['query']),
    headers: textsOf(row['headers']),
    noCsrf: row['no_csrf'] === true,
    wait: row['wait'] === true,
    delay: numberIn(row, 'delay') ?? 0,
    eventually: numberIn(row, 'eventually') ?? 0,
    capture: Object.entries(rowOf(row['capture'])).map(readCapture),
    expect: {
      status: numberIn(expect, 'status') ?? 0,
      ...some('reason', textIn(expect, 'reason')),
      ...('body' in expect ? { body: expect['body'] } : {}),
      ...some('text', textIn(expect, 'text')),
      ...(isRow(expect['task']) ? { task: expect['task'] } : {}),
    },
    ...some('encoding', textIn(row, 'encoding')),
    ...some('rawbody', textIn(row, 'rawbody')),
    ...(isRow(row['file']) ? { file: readFile(row['file']) } : {}),
    ...(isRow(control)
      ? { control: { action: String(control['action']), node: String(control['node']) } }
      : {}),
  };
}

function readCapture([name, given]: [string, unknown]): Step['capture'][number] {
  if (typeof given === 'string') return { name, path: given };
  const row = rowOf(given);
  return { name, path: textIn(row, 'path') ?? '$', ...some('re', textIn(row, 're')) };
}

const readFile = (row: Row): NonNullable<Step['file']> => ({
  name: String(row['name']),
  ...some('size', numberIn(row, 'size')),
  ...some('fill', numberIn(row, 'fill')),
  ...some('text', textIn(row, 'text')),
});

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(rowOf(value)).map(([name, each]) => [name, String(each)]));

function textIn(row: Row, name: string): string | undefined {
  const value = row[name];
  return typeof value === 'string' ? value : undefined;
}

function numberIn(row: Row, name: string): number | undefined {
  const value = row[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A field that is there only where it has a value. */
function some<Name extends string, Value>(name: Name, value: Value | undefined): { [key in Name]?: Value } {
  const fields: { [key in Name]?: Value } = {};
  if (value !== undefined) fields[name] = value;
  return fields;
}
