import { text } from '../fields/wants';

const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';

/** The name with every forbidden character replaced, as a suggestion; undefined when nothing sensible is left. */
function asLabel(given: string): string | undefined {
  const mended = given
    .trim()
    .replace(/[^a-zA-Z0-9.-]+/g, '-')
    .replace(/(^[.-]+)|([.-]+$)/g, '')
    .slice(0, 63);
  return mended === '' || mended === given ? undefined : `For example "${mended}".`;
}

/** One DNS label. */
export const DnsLabel = text(
  new RegExp(`^${LABEL}$`),
  'a DNS label: letters, digits and "-", not at either end, at most 63 characters',
  given => asLabel(given.replaceAll('.', '-')),
);

/** A guest's name: DNS labels. PVE takes 64 characters; a host name may have 63. */
export const VmName = text(
  new RegExp(`^(?=.{1,63}$)(?:${LABEL}\\.)*${LABEL}$`),
  'DNS labels joined by ".": letters, digits and "-", no "_", at most 63 characters',
  asLabel,
);

/** The identity of a machine within its owner. */
export const MachineId = text(
  /^[a-zA-Z0-9][a-zA-Z0-9-]{0,62}$/,
  'letters, digits and "-", beginning with a letter or digit, at most 63 characters',
  given => asLabel(given.replaceAll('.', '-')),
);

/** Who owns machines: it becomes part of their mark. */
export const Owner = text(
  /^[^\s\p{Cc}](?:[^\p{Cc}]{0,253}[^\s\p{Cc}])?$/u,
  'text of 1 to 255 characters on one line, no space at either end',
);

export const NodeName = text(
  /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/,
  'the name of a node: letters, digits and "-", not at either end',
);

export const StorageId = text(
  /^[a-zA-Z][a-zA-Z0-9\-_.]*[a-zA-Z0-9]$/,
  'the name of a storage: at least 2 letters, digits, "-", "_" or ".", beginning with a letter',
);

export const BridgeName = text(
  /^[-_.a-zA-Z0-9]+$/,
  'the name of a bridge (such as "vmbr0") or of a network map entry (such as "lan")',
);

export const PoolId = text(
  /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+){0,2}$/,
  'the name of a pool: letters, digits, ".", "_" and "-", up to three levels joined by "/"',
);

export const Tag = text(
  /^[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*$/,
  'one tag: letters, digits, "_", "-", "+", ".", beginning with a letter, digit or "_"',
);

/** A tag that a machine may be given. Those that begin with "pvr-" find the machines of their owners. */
export const OwnTag = text(
  /^(?!pvr-)[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*$/i,
  'one tag: letters, digits, "_", "-", "+", ".", beginning with a letter, digit or "_", not with "pvr-"',
  given => {
    if (/^pvr-/i.test(given))
      return 'Remove it: this program finds its machines by such tags, and sets them.';
    return /[;, ]/.test(given) ? 'Give one list entry per tag.' : undefined;
  },
);

export const VolumeId = text(
  /^[a-zA-Z][a-zA-Z0-9\-_.]*[a-zA-Z0-9]:[^\s,]+$/,
  'a volume, written storage:volume, such as "local:iso/debian.iso"',
);

/** A name in PVE's own configuration files, such as a resource mapping. */
export const ConfigId = text(
  /^[a-zA-Z][a-zA-Z0-9_-]+$/,
  'a name of at least 2 letters, digits, "_" or "-", beginning with a letter',
);

export const SnapshotName = text(
  /^(?!(?:current|pending)$)[a-zA-Z][a-zA-Z0-9_-]{1,39}$/,
  'a name of 2 to 40 letters, digits, "_" or "-", beginning with a letter, not "current" or "pending"',
);

export const LabelKey = text(
  /^[a-zA-Z0-9](?:[a-zA-Z0-9._/-]{0,251}[a-zA-Z0-9])?$/,
  'a label: letters, digits, ".", "_", "/" and "-", not at either end',
);

export const LabelValue = text(
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9._-]{0,61}[a-zA-Z0-9])?)?$/,
  'a label value: at most 63 letters, digits, ".", "_" and "-", not at either end',
);

/** A line of free text. */
export const Line = text(/^[^\p{Cc}]{1,255}$/u, 'one line of text, at most 255 characters');
