import { ref, Token, type IResolvable } from 'cdktf';
import type { Construct } from 'constructs';
import type { ClusterView } from '../calls/cluster-view';
import { ExternalData } from '../stack/external-data';
import { factsName } from './names';
import { queryOf } from '../calls/queries';

export interface FactsConfig {
  /** Without it the facts are the cluster's. */
  readonly machine?: string;
  /** What is asked for besides the cluster. */
  readonly query?: () => Record<string, string>;
}

/** What the reconciler knows of a machine or a cluster, as values of a stack. Unread facts are not in the stack. */
export class Facts {
  private read = false;
  private readonly required = new Set<string>();

  constructor(
    private readonly cluster: ClusterView,
    scope: Construct,
    private readonly config: FactsConfig = {},
  ) {
    const { machine, query = () => ({}) } = config;
    new ExternalData(scope, 'facts', {
      name: factsName(cluster.name, machine),
      program: [...cluster.program, 'facts'],
      query: () => (this.read ? { ...queryOf(cluster), ...query(), ...this.requirement() } : undefined),
    });
  }

  /** From now on the facts fail, with the reason, where the machine does not have this one. */
  require(name: string): void {
    this.required.add(name);
  }

  /** Text, or null where there is none. */
  text(name: string): string {
    return Token.asString(this.value(name));
  }

  /** A number, or null where there is none. */
  number(name: string): number {
    return Token.asNumber(this.value(name));
  }

  /** True or false. */
  boolean(name: string): IResolvable {
    return this.value(name);
  }

  /** A list of texts, empty where there is none. */
  list(name: string, path = ''): string[] {
    return Token.asList(this.value(name, path, '[]'));
  }

  /** Anything else. */
  value(name: string, path = '', absent = 'null'): IResolvable {
    return this.expression(json => `${json}${path}`, name, absent);
  }

  /** What an expression makes of a fact. */
  expression(of: (json: string) => string, name: string, absent = 'null'): IResolvable {
    this.read = true;
    const result = `data.external.${factsName(this.cluster.name, this.config.machine)}.result`;
    return ref(of(`jsondecode(lookup(${result}, "${name}", "${absent}"))`), this.cluster.stack);
  }

  private requirement(): Record<string, string> {
    return this.required.size === 0 ? {} : { required: [...this.required].sort().join(',') };
  }
}
