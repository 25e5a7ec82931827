import { stringify } from 'yaml';
import { CLOUD_INIT_DATA, valueAt } from '../../spec';
import { counted } from '../errors';
import { readJson } from '../input/read-json';
import type { MachineParts } from './plan/machine-parts';
import { triggersOf } from './plan/triggers-of';

/** A plan of a thousand lines is read by nobody. */
const MOST_LINES = 20;

const SECRET_KEY = /passw|passphrase|chpasswd|secret|token|private|credential|api[-_]?key/i;
/** A hash of a password, a line of a key: long, and no word of a language. */
const SECRET_VALUE = /\$\w{1,3}\$|-----BEGIN|[A-Za-z0-9+/=_-]{32,}/;

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
    const changed = [...lacking(from, to, '-'), ...lacking(to, from, '+')];
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
function lacking(text: readonly string[], other: readonly string[], sign: string): string[] {
  const left = [...other];
  return text.flatMap(line => {
    const at = left.indexOf(line);
    if (at < 0) return [`${sign} ${withoutSecret(line)}`];
    left.splice(at, 1);
    return [];
  });
}

function withoutSecret(line: string): string {
  if (!SECRET_KEY.test(line) && !SECRET_VALUE.test(line)) return line;
  const [, key] = /^(\s*(?:- )?[\w.-]+:)/.exec(line) ?? [];
  return `${key ?? ''} (may be a secret)`.trimStart();
}
