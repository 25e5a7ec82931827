import { MOST_SECRET_BYTES, readNamedNow } from '../../config/named-file';
import { InputError } from '../../errors';

/** The way to an API server, and who asks. */
export interface KubernetesAccess {
  /** `https://host:port`, without a path. */
  server: string;
  ca?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  /** Read anew for each request: a file is replaced before its token ends. Undefined: a certificate says who asks. */
  token: () => string | undefined;
}

/** The text of a file of the configuration. */
export function readText(file: string): string {
  try {
    return readNamedNow(file, MOST_SECRET_BYTES).toString('utf8');
  } catch (error) {
    if (typeof error !== 'object' || error === null || !('code' in error)) throw error;
    throw new InputError(`${file} cannot be read (${String(error.code)}).`);
  }
}
