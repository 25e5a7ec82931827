import type { Construct } from 'constructs';
import type { ClusterView, ClusterOutput } from '../calls/cluster-view';
import { ExternalData } from '../stack/external-data';
import type { Member } from '../calls/machine-view';
import { observedName, observerName } from './names';
import { observeQuery, removedQuery } from '../calls/queries';

/**
 * Tells at every plan how machines stand. The one that a cluster's machines share is there without any, too: it tells
 * of the last one that leaves. That of one machine is not in the stack when the shared one observes it.
 */
export class Observer {
  private readonly answer: string;

  constructor(cluster: ClusterView, scope: Construct, members: () => readonly Member[], only?: string) {
    const name = observerName(cluster.name, only);
    this.answer = only === undefined ? `local.${observedName(cluster.name)}` : `data.external.${name}.result`;
    new ExternalData(scope, 'observer', {
      name,
      program: [...cluster.program, 'observe'],
      query: () => {
        const observed = members();
        const isNobodys = only !== undefined && observed.length === 0;
        return isNobodys
          ? undefined
          : observeQuery(cluster, observed, only === undefined ? cluster.snapshots : []);
      },
    });
  }

  /** What is told of a machine, or of a snapshot, as an expression. */
  told(of: string, field: ClusterOutput): string {
    return `try(${this.answer}["${of}.${field}"], "")`;
  }

  /** In which walk of Terraform it was read, as an expression. */
  walk(): string {
    return `try(${this.answer}["walk"], "")`;
  }
}

/**
 * Tells how the machines of a cluster that has left the program stand, whoever owns them. A plan has nothing else that
 * tells a cluster which is removed with its machines from one that was forgotten.
 */
export function leaversObserver(
  scope: Construct,
  cluster: Pick<ClusterView, 'name' | 'program' | 'spec'>,
): void {
  new ExternalData(scope, 'observer', {
    name: observerName(cluster.name),
    program: [...cluster.program, 'observe'],
    query: () => removedQuery(cluster),
  });
}
