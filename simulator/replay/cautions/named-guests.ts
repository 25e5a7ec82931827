import type { Step } from '../step';

const MAKES = /^\/nodes\/[^/]+\/(qemu|lxc)(\/\d+\/clone)?$/;

/** The guest that a step makes; undefined: it makes none, or it may replace one that is there. */
export function makes({ method, path, params }: Step): string | undefined {
  if (method !== 'POST' || isTrue(params['force'])) return undefined;
  const [plain = ''] = path.split('?');
  const [, , isClone] = MAKES.exec(plain) ?? [];
  if (!MAKES.test(plain)) return undefined;
  const id = params[isClone === undefined ? 'vmid' : 'newid'];
  return id === undefined ? undefined : String(id);
}

const isTrue = (value: unknown): boolean =>
  value !== undefined && !['0', 'false', 'no', 'off', ''].includes(String(value));

const IN_TEXT = [
  /\/(?:qemu|lxc)\/(\d+)/g,
  /\b(?:vm|ct):(\d+)/g,
  /\b(?:vm|base|subvol|basevol)-(\d+)-/g,
  /\bvzdump-(?:qemu|lxc)-(\d+)-/g,
  /:(\d+)\//g,
];
const IDS = ['vmid', 'vms', 'newid', 'target-vmid', 'vmids', 'guests'];

/** The guests that a step names and does not make: what it writes to. The source of a clone is only read. */
export function namedIn(step: Step): string[] {
  const made = makes(step);
  const texts = [step.path, ...textsIn(step.params), ...textsIn(step.query), step.rawbody ?? ''];
  const inText = IN_TEXT.flatMap(each =>
    texts.flatMap(text => [...decoded(text).matchAll(each)].map(([, id = '']) => id)),
  );
  const byName = [step.params, step.query].flatMap(row =>
    IDS.flatMap(name => (row[name] === undefined ? [] : (textsIn(row[name]).join(',').match(/\d+/g) ?? []))),
  );
  const isClone = made !== undefined && step.path.includes('/clone');
  const source = isClone ? /\/(\d+)\/clone/.exec(step.path)?.[1] : undefined;
  return [...new Set([...inText, ...byName])].filter(id => id !== made && id !== source);
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return value === undefined || value === null ? [] : [String(value)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
