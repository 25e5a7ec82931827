import type { HandlerTable } from '../cluster/call';
import { EXTRAS } from '../extras';
import { CORE } from '../handlers';

/** Every endpoint that is simulated. A route of the schema that is missing here answers 501 and says so. */
export const HANDLERS: HandlerTable = joined([...CORE, ...EXTRAS]);

/** The tables as one. Fails when two answer the same route: only one of them would ever be asked. */
function joined(tables: readonly HandlerTable[]): HandlerTable {
  const all: HandlerTable = {};
  for (const [route, handler] of tables.flatMap(table => Object.entries(table))) {
    if (all[route]) throw new Error(`'${route}' has two handlers`);
    all[route] = handler;
  }
  return all;
}
