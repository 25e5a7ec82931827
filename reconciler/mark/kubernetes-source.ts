import type { Mark } from './mark';

/** How the sources of those begin that keep machines as resources of a Kubernetes. Such a source holds a guest alone. */
const BEGINNING = 'kubernetes:';

/** The source of a Kubernetes, by a name that a person gave or by its uid. */
export function kubernetesSource(name: string): string {
  return isOfKubernetes(name) ? name : BEGINNING + name;
}

export function isOfKubernetes(source: string | undefined): source is string {
  return source?.startsWith(BEGINNING) === true;
}

/** The source of a Kubernetes that holds a guest, where that is none of these. Undefined: no other one holds it. */
export function otherKubernetes(
  mark: Pick<Mark, 'source'> | undefined,
  own: readonly string[],
): string | undefined {
  const source = mark?.source;
  return isOfKubernetes(source) && !own.includes(source) ? source : undefined;
}

/** The way out for whoever means a guest that another Kubernetes holds. `source`: a mark holds no quote. */
export function takeOverWords(source: string): string {
  return `To leave it there: delete it here, with deletionPolicy: Retain (from files: take it out of them). For a machine of its own here: give it another name. ${sourceWords(source)}`;
}

/** The same for a destroy. */
export function destroyThereWords(source: string): string {
  return `To destroy it: delete its resource there. To delete only the resource here: set its deletionPolicy to Retain. ${sourceWords(source)}`;
}

const sourceWords = (source: string): string =>
  `Where that Kubernetes is gone or is this one: start this with --source '${source}'.`;
