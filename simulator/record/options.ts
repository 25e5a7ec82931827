import { FLAG, parseWords, TEXT } from '../cli/parse-words';
import { UsageError } from '../cli/usage-error';
import { KINDS } from './disguise/disguise';
import type { Kind } from './disguise/disguise';

export const RECORD_USAGE = `Usage: pve-simulator record --endpoint https://HOST:8006 --out FILE [options]
       pve-simulator record --proxy --endpoint https://HOST:8006 --out FILE [options]

Without --proxy: writes a world file of a real cluster, for pve-simulator --world. It only reads.
The token comes from PVE_TOKEN_ID and PVE_TOKEN_SECRET. Names, addresses and the like are replaced.
With --proxy: hands requests on to the cluster while you work, and writes a scenario file of them.
Secrets are replaced, names are not. Ctrl-C ends it. Look through either file before you hand it on.

  --endpoint URL       the cluster (PVE_ENDPOINT)
  --out FILE           the file to write
  --force              replace the file if it is there
  --ca FILE            trust this authority (PVE_CA_BUNDLE)
  --fingerprint SHA256 trust this certificate of the server (PVE_FINGERPRINT)
  --insecure           check no certificate: whoever is on the network can read the login
  --token-file FILE    a file with USER@REALM!NAME=SECRET, instead of the variables
  --keep KINDS         keep ${KINDS.join(',')}, or all; secrets never are
  --seed TEXT          the same text gives the same names in each recording (the secret of the token)
  --listen ADDRESS     with --proxy: 127.0.0.1:PORT (127.0.0.1:0, any free port)
  --help               show this
`;

export interface RecordOptions {
  endpoint?: string;
  out: string;
  force: boolean;
  proxy: boolean;
  ca?: string;
  fingerprint?: string;
  insecure?: boolean;
  tokenFile?: string;
  keep: Set<Kind>;
  seed?: string;
  listen: { host: string; port: number };
}

const OPTIONS = {
  endpoint: TEXT,
  out: TEXT,
  ca: TEXT,
  fingerprint: TEXT,
  'token-file': TEXT,
  keep: TEXT,
  seed: TEXT,
  listen: TEXT,
  proxy: FLAG,
  force: FLAG,
  insecure: FLAG,
  help: FLAG,
};

/** Understands the words behind `record`; undefined: help was asked for. */
export function parseRecord(argv: string[]): RecordOptions | undefined {
  const values = parseWords(argv, OPTIONS);
  if (values.help) return undefined;
  const { out = '', proxy = false, force = false, listen, keep = '', seed } = values;
  if (out === '') throw new UsageError('--out is missing: the file to write');
  if (!proxy && listen !== undefined) throw new UsageError('--listen is for --proxy');
  const notForProxy = (['keep', 'seed', 'token-file'] as const).find(name => values[name] !== undefined);
  if (proxy && notForProxy) throw new UsageError(`--${notForProxy} is not for --proxy`);
  if (seed === '') throw new UsageError('--seed needs a text');
  return {
    out,
    proxy,
    force,
    keep: kindsOf(keep),
    listen: addressOf(listen ?? '127.0.0.1:0'),
    ...(values.endpoint === undefined ? {} : { endpoint: values.endpoint }),
    ...(values.ca === undefined ? {} : { ca: values.ca }),
    ...(values.fingerprint === undefined ? {} : { fingerprint: values.fingerprint }),
    ...(values.insecure === undefined ? {} : { insecure: values.insecure }),
    ...(values['token-file'] === undefined ? {} : { tokenFile: values['token-file'] }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function kindsOf(given: string): Set<Kind> {
  const words = given.split(',').filter(word => word !== '');
  const wrong = words.find(word => word !== 'all' && !KINDS.some(kind => kind === word));
  if (wrong !== undefined)
    throw new UsageError(`--keep takes ${KINDS.join(', ')} or all; '${wrong}' is none of them`);
  return new Set(KINDS.filter(kind => words.includes('all') || words.includes(kind)));
}

function addressOf(given: string): RecordOptions['listen'] {
  const [, host = '', port = ''] = /^(127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5})$/.exec(given) ?? [];
  if (host === '' || Number(port) > 65_535) {
    throw new UsageError(
      `--listen takes an address of this machine only, as 127.0.0.1:8007; '${given}' is none`,
    );
  }
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
