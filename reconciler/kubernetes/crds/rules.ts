import type { ResourceRole } from '../kinds';

/** What the API server can check of a whole spec, as CEL says it. Each is refused when the document is read, too. */
interface Rule {
  rule: string;
  message: string;
}

/** Two fields that say the same thing. */
function oneOf(one: string, other: string): Rule {
  const both = [...paths(one), ...paths(other)].map(path => `has(self.${path})`);
  return {
    rule: `!(${both.join(' && ')})`,
    message: `spec.${one} says what spec.${other} says too. Keep one of both.`,
  };
}

/** A field and those that it is in, the outermost first: CEL looks into none that is not there. */
function paths(field: string): string[] {
  const parts = field.split('.');
  return parts.map((_, index) => parts.slice(0, index + 1).join('.'));
}

/** CEL sees no field that has no type in a schema of Kubernetes, such as template. */
const SOURCES = ['machine', 'iso', 'url', 'blank'];

const MACHINE: readonly Rule[] = [
  {
    rule: '!(has(self.protection) && self.protection && has(self.rebuildOn) && size(self.rebuildOn) > 0)',
    message: 'rebuildOn allows to destroy the machine, which protection forbids. Keep one of both.',
  },
  oneOf('network', 'networks'),
  oneOf('resources.cpu', 'cpu.cores'),
  {
    rule: `!has(self.image) || [${SOURCES.map(source => `has(self.image.${source})`).join(', ')}].filter(each, each).size() < 2`,
    message: `spec.image has more than one source; allowed: one of template, ${SOURCES.join(', ')}. Keep one.`,
  },
  {
    rule: '!has(self.image) || !has(self.image.url) || has(self.image.checksum)',
    message: 'spec.image.checksum is required with url; allowed: such as sha256:<64 hex digits>. Add it.',
  },
  {
    rule: '!has(self.image) || !has(self.image.file)',
    message: 'spec.image.file names a file of the daemon, which no resource may reach. Use url and checksum.',
  },
];

export const RULES: Readonly<Record<ResourceRole, readonly Rule[]>> = {
  machine: MACHINE,
  cluster: [oneOf('endpoint', 'endpoints')],
  node: [],
  other: [],
};

/** What a kind cannot be read without. */
export const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  VMClone: ['sourceVMRef'],
  VMImage: ['source'],
  VMSnapshot: ['vmRef'],
};
