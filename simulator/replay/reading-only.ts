import type { Caution } from './player';
import type { Step } from './step';
import { wirePath } from './wire-path';

/** Reads that make a node do more than read. */
const MORE_THAN_READ =
  /\/(query-url-metadata|query-oci-repo-tags|vncwebsocket|report|changelog|acme\/(tos|meta))\/?$|\/(file-restore|scan|agent)(\/|$)/;

/** Sends nothing but plain reads, and those only as long as no step before them would have changed something. */
export class ReadingOnly implements Caution {
  private change: Step | undefined;

  whyNot(step: Step): string | undefined {
    const { method, headers, rawbody, encoding, control, file } = step;
    if (method !== 'GET' || control) {
      if (changes(step)) this.change ??= step;
      return control ? 'it makes something happen to a node' : 'it writes, and this only reads';
    }
    if (this.change) return `it follows step ${this.change.n}, which was not sent`;
    const path = wirePath(step);
    if (path === undefined) return 'its path leads out of the API';
    if (MORE_THAN_READ.test(path)) return 'it makes a node do more than read';
    const isPlain =
      Object.keys(headers).length === 0 && rawbody === undefined && encoding !== 'json' && !file;
    return isPlain ? undefined : 'it is no plain read';
  }
}

/** A write that was refused when it was recorded changed nothing then, and a login never does. */
const changes = ({ path, control, expect }: Step): boolean =>
  control !== undefined || (expect.status < 400 && path !== '/access/ticket');
