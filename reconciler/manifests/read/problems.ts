import { formatPath, formatProblems, showValue, valueAt, type Path, type Problem } from '../../../spec';
import { placeIn, type Manifest } from './manifest';

/** What is wrong with one field of a manifest. */
export interface Wrong {
  path: Path;
  /** The value itself is said. Never for what may be a secret. */
  shown?: boolean;
  /** Without it: is not valid. */
  reason?: string;
  allowed?: string | undefined;
  remedy: string;
}

/** All that is wrong with a set of manifests, each once, in the order in which it was found. */
export class Problems {
  private readonly texts = new Set<string>();

  get all(): string[] {
    return [...this.texts];
  }

  /** `place` as `file:line:column`. */
  say(place: string, text: string): void {
    this.texts.add(`${place}: ${text}`);
  }

  add(manifest: Manifest, wrong: Wrong): void {
    const { path, shown = false, reason = 'is not valid', allowed, remedy } = wrong;
    this.tell(manifest, {
      path: '',
      at: path,
      kind: 'conflict',
      ...(shown && { value: showValue(valueAt(manifest.json, path), path) }),
      reason,
      ...(allowed !== undefined && { allowed }),
      remedy,
    });
  }

  /** A problem of the spec, whose path is already one in the manifest. */
  tell(manifest: Manifest, problem: Problem): void {
    const { kind, name, json } = manifest;
    const path = `${kind} ${name}: ${formatPath(problem.at, json)}`;
    this.say(placeIn(manifest, problem.at), formatProblems([{ ...problem, path }]));
  }
}
