import type { Row } from '../record/shape';
import { isRow } from '../record/shape';
import type { Step } from './step';

const NAME = /\$\{([A-Za-z0-9_]+)\}/g;

/** What earlier answers gave, for the texts of later requests. */
export class Variables {
  private readonly values = new Map<string, string>();

  constructor(first: Record<string, string | undefined>) {
    for (const [name, value] of Object.entries(first)) if (value !== undefined) this.set(name, value);
  }

  set(name: string, value: string): void {
    this.values.set(name, value);
  }

  /** A variable of the request that nothing gave; undefined: all are known. */
  unknownIn({ as, path, params, query, rawbody, headers }: Step): string | undefined {
    const text = JSON.stringify([as, path, params, query, rawbody, headers]);
    return [...text.matchAll(NAME)].flatMap(([, name = '']) => (this.values.has(name) ? [] : [name]))[0];
  }

  fillStep(step: Step): Step {
    const { as, path, params, query, rawbody, headers } = step;
    return {
      ...step,
      as: this.fillText(as),
      path: this.fillText(path),
      params: this.fillRow(params),
      query: this.fillRow(query),
      headers: Object.fromEntries(Object.entries(headers).map(([name, each]) => [name, this.fillText(each)])),
      ...(rawbody === undefined ? {} : { rawbody: this.fillText(rawbody) }),
    };
  }

  private fillText(text: string): string {
    return text.replace(NAME, (whole, name: string) => this.values.get(name) ?? whole);
  }

  private fillRow(row: Row): Row {
    return Object.fromEntries(Object.entries(row).map(([key, inner]) => [key, this.fill(inner)]));
  }

  private fill(value: unknown): unknown {
    if (typeof value === 'string') return this.fillText(value);
    if (Array.isArray(value)) return value.map(each => this.fill(each));
    return isRow(value) ? this.fillRow(value) : value;
  }
}
