import { stringify } from 'yaml';
import { CLOUD_INIT_DATA, valueAt } from '../../spec';
import { counted } from '../errors';
import { readJson } from '../input/read-json';
import type { MachineParts } from './plan/machine-parts';
import { triggersOf } from './plan/triggers-of';
import { secretLines } from './secret-lines';

/** A plan of a thousand lines is read by nobody. */
const MOST_LINES = 20;

/**
 * What changes in a machine's cloud-init data, by lines: Proxmox holds only a file whose name is a checksum, and the plan
 * holds both specs. What may be a secret is left out.
 */
export function dataLines({ id, answers, revision }: MachineParts): string[] {
  const { before, before_sensitive, after_sensitive } = revision?.change ?? {};
  const [old, now] = [triggersOf('null_resource', before)?.['spec'], answers?.query[`spec.${id}`]];
  if (typeof old !== 'string' || typeof now !== 'string' || old === now) return [];
  const isSensitive = [before_sensitive, after_sensitive].some(marks => isMarked(marks));
  const [was, is] = [old, now].map(text => readJson(text, 'a spec in the plan'));
  return CLOUD_INIT_DATA.flatMap(field => {
    const [from, to] = [was, is].map(spec => linesOf(valueAt(spec, ['cloudInit', field])));
    if (from === undefined || to === undefined || from.join('\n') === to.join('\n')) return [];
    if (isSensitive)
      return [`cloudInit.${field} changes. The spec holds a sensitive value: no line of it is shown.`];
    const hidden = secretLines([from, to]);
    const saidOf = (sign: string, line: string): string => `${sign} ${hidden.get(line) ?? line}`;
    const changed = [
      ...lacking(from, to).map(line => saidOf('-', line)),
      ...lacking(to, from).map(line => saidOf('+', line)),
    ];
    if (changed.length === 0) return [`cloudInit.${field}: its lines come in another order.`];
    const more = changed.length - MOST_LINES;
    return [
      `cloudInit.${field} changes in ${counted(changed.length, 'line', 'lines')}:`,
      ...changed.slice(0, MOST_LINES),
      ...(more > 0 ? [`and ${counted(more, 'line', 'lines')} more.`] : []),
    ];
  });
}

/** Terraform marks a value, or all that is around it. */
function isMarked(marks: unknown): boolean {
  return [marks, valueAt(marks, ['triggers']), valueAt(marks, ['triggers', 'spec'])].includes(true);
}

function linesOf(data: unknown): string[] {
  if (data === undefined) return [];
  return (typeof data === 'string' ? data : stringify(data)).split('\n').filter(line => line.trim() !== '');
}

/** The lines of one text that another has not, or has less often. */
function lacking(text: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return text.filter(line => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
