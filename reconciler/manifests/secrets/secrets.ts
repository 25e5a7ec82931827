import { isRecord, type Path } from '../../../spec';
import { namedBy, type Catalog } from '../read/catalog';
import type { ManifestSurroundings } from '../surroundings';
import type { Manifest } from '../read/manifest';
import type { Problems } from '../read/problems';
import { unknownField } from '../read/rows';

type Values = ReadonlyMap<string, string>;

/** The Secrets of a run: those of the manifests, then those that are mounted. No text of ours holds a value. */
export class Secrets {
  private readonly read = new Map<Manifest, Values>();

  constructor(
    private readonly catalog: Catalog,
    private readonly given: Pick<ManifestSurroundings, 'mounted' | 'apart'>,
    private readonly problems: Problems,
  ) {
    for (const manifest of catalog.of('secret')) this.read.set(manifest, this.valuesOf(manifest));
  }

  find(namespace: string, name: string): Values | undefined {
    const manifest = this.catalog.find('secret', namespace, name);
    return (manifest && this.read.get(manifest)) ?? this.given.mounted(namespace, name);
  }

  /** The value that `{name, key, namespace}` names. `isElsewhere`: the environment may give it where no Secret does. */
  referred(manifest: Manifest, path: Path, reference: unknown, isElsewhere = false): string | undefined {
    const { key, ...place } = isRecord(reference) ? reference : {};
    const named = namedBy(manifest, place);
    if (named === undefined || typeof key !== 'string') {
      const allowed = '{name, key, namespace}, each a text';
      this.problems.add(manifest, { path, allowed, remedy: 'Name the Secret and its key.' });
      return undefined;
    }
    const { name, namespace } = named;
    if (this.refusesOther(manifest, path, namespace)) return undefined;
    const values = this.find(namespace, name);
    if (values === undefined) {
      if (!isElsewhere) this.dangling(manifest, [...path, 'name'], namespace, name);
      return undefined;
    }
    const value = values.get(key);
    if (value === undefined)
      this.problems.add(manifest, {
        ...unknownField([...path, 'key'], [...values.keys()]),
        reason: `names no key of Secret ${name}`,
        shown: true,
      });
    return value;
  }

  /** Whether a Secret is of a namespace that the document must not reach: that is reported. */
  refusesOther(manifest: Manifest, path: Path, namespace: string): boolean {
    if (this.given.apart === undefined || namespace === manifest.namespace) return false;
    const reason = 'names a Secret of another namespace';
    const remedy = `Put the Secret into ${manifest.namespace}, and remove namespace here.`;
    this.problems.add(manifest, {
      path: [...path, 'namespace'],
      reason,
      allowed: manifest.namespace,
      remedy,
    });
    return true;
  }

  /** Whether a place of this computer is named by one who must not reach it: that is reported. */
  refusesPlace(manifest: Manifest, path: Path, remedy: string): boolean {
    if (this.given.apart === undefined) return false;
    const reason = 'names a file or a variable of the daemon, which no resource may reach';
    this.problems.add(manifest, { path, reason, remedy });
    return true;
  }

  dangling(manifest: Manifest, path: Path, namespace: string, name: string): void {
    const mend = this.given.apart ? 'Add the Secret to this namespace.' : FROM_FILES;
    this.catalog.dangling(manifest, path, { name, namespace, role: 'secret', mend });
  }

  private valuesOf(manifest: Manifest): Values {
    const values = new Map<string, string>();
    // what is written as text counts, as in Kubernetes
    for (const [field, decoded] of [
      ['data', fromBase64],
      ['stringData', asText],
    ] as const) {
      const entries = manifest.json[field] ?? {};
      if (!isRecord(entries)) {
        this.problems.add(manifest, { path: [field], allowed: 'an object', remedy: 'Make it one.' });
        continue;
      }
      for (const [key, value] of Object.entries(entries)) {
        const text = decoded(value);
        if (typeof text === 'string') values.set(key, text);
        else this.problems.add(manifest, { path: [field, key], ...text });
      }
    }
    return values;
  }
}

const FROM_FILES =
  'Add it, name the folder where it is mounted with --secrets, or set PVE_TOKEN_ID and PVE_TOKEN_SECRET.';

type UnfitValue = { allowed: string; remedy: string };

function asText(value: unknown): string | UnfitValue {
  return typeof value === 'string' ? value : { allowed: 'text', remedy: 'Put it in quotes.' };
}

function fromBase64(value: unknown): string | UnfitValue {
  const text = typeof value === 'string' ? value.replace(/\s+/g, '') : undefined;
  if (text !== undefined && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    return Buffer.from(text, 'base64').toString('utf8');
  return { allowed: 'text in base64', remedy: 'Encode it, or move it into stringData as it is.' };
}
