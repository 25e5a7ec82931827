import type { Endpoint } from '../schema/endpoint';
import type { Sim } from './sim';

/** One request, authenticated, permitted, checked against the schema, on the node that answers it. */
export interface Call {
  sim: Sim;
  endpoint: Endpoint;
  /** The node that executes: the one in the path, or the one that was asked. */
  node: string;
  /** Who asks: user@realm or user@realm!token. */
  user: string;
  /** Path and request parameters, all text as on the wire; booleans are 0 and 1. */
  params: Record<string, string>;
  /** The few parameters that are lists. */
  lists: Record<string, string[]>;
  /** The parameters that were sent without a value: a JSON null, or a form key without `=`. */
  empty: string[];
  /** The file of an upload, when the request carries one. */
  upload?: { filename: string; data: Buffer };
}

/** Answers one endpoint: the value of `data`, or an `Answer` that carries more. Throws `Failure`. */
type Handler = (call: Call) => unknown;

/** Handlers by `METHOD /path` of the schema. */
export type HandlerTable = Record<string, Handler>;

/** An answer with more beside `data`: `total` of lists that count, `changes` of networks. */
export class Answer {
  constructor(
    readonly data: unknown,
    readonly beside: Record<string, unknown>,
  ) {}
}

/** An answer that is a file to save, not JSON. */
export class FileAnswer extends Answer {
  constructor(
    readonly text: string,
    readonly name: string,
  ) {
    super(null, {});
  }
}
