import { UsageError } from '../../cli/usage-error';

/** The address of a server, as `--endpoint` names it, with a port. Only https is taken, without a login and a path. */
export function readEndpoint(given: string | undefined): URL {
  if (!given) {
    throw new UsageError('--endpoint is missing: https://HOST:8006, or set PVE_ENDPOINT');
  }
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new UsageError('--endpoint is no address; it looks like https://HOST:8006');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--endpoint must not hold a login: use PVE_TOKEN_ID and PVE_TOKEN_SECRET');
  }
  if (url.protocol !== 'https:') throw new UsageError('--endpoint must begin with https://');
  if (!/^\/?$/.test(url.pathname) || url.search !== '') {
    throw new UsageError('--endpoint names the server only, without a path: https://HOST:8006');
  }
  // an URL does not hold 443, so this alone tells it from no port
  if (!/:\d+\/?\s*$/.test(given)) url.port = '8006';
  return url;
}
