import { FLAG, parseWordsAndFiles, TEXT } from '../cli/parse-words';
import { UsageError } from '../cli/usage-error';

export const REPLAY_USAGE = `Usage: pve-simulator replay --world NAME|FILE [options] FILE|FOLDER…
       pve-simulator replay --endpoint https://HOST:8006 [options] FILE|FOLDER…

Plays scenario files, such as record --proxy writes, and says how the answers differ: status, texts, keys, types, values.
With --world: against a new simulator with that world, for each scenario.
With --endpoint: against a server that runs. It only reads, up to the first step that would change something.
Ends with 0 where all is as recorded, 1 where an answer differs or the server fails, 2 where the words are wrong.

  --world NAME|FILE    a named world, or a world file
  --seed N             with --world: the seed of the simulator (1)
  --endpoint URL       the server (PVE_ENDPOINT)
  --writes             send what writes, too. To a simulator only
  --logins FILE        a world file with the passwords of users and the secrets of tokens
  --user USER          who plays root (root@pam); his password is in PVE_PASSWORD, or in the file that PVE_PASSWORD_FILE names
  --token-file FILE    a file with USER@REALM!NAME=SECRET; it plays root where there is no password (PVE_TOKEN_ID, PVE_TOKEN_SECRET)
  --ca FILE            trust this authority (PVE_CA_BUNDLE)
  --fingerprint SHA256 trust this certificate of the server (PVE_FINGERPRINT)
  --insecure           check no certificate: whoever is on the network can read the login
  --help               show this
`;

const OF_ENDPOINT = {
  endpoint: TEXT,
  writes: FLAG,
  logins: TEXT,
  user: TEXT,
  'token-file': TEXT,
  ca: TEXT,
  fingerprint: TEXT,
  insecure: FLAG,
};
const OF_WORLD = { world: TEXT, seed: TEXT };
const OPTIONS = { ...OF_ENDPOINT, ...OF_WORLD, help: FLAG };

export interface OfEndpoint {
  endpoint: string;
  writes: boolean;
  user: string;
  logins?: string;
  tokenFile?: string;
  ca?: string;
  fingerprint?: string;
  insecure?: boolean;
}

export type ReplayOptions = { files: string[] } & (
  { kind: 'world'; world: string; seed: number } | ({ kind: 'endpoint' } & OfEndpoint)
);

/** Understands the words behind `replay`; undefined: help was asked for. */
export function parseReplay(words: string[], env: NodeJS.ProcessEnv): ReplayOptions | undefined {
  const { values, positionals: files } = parseWordsAndFiles(words, OPTIONS);
  if (values.help) return undefined;
  if (files.length === 0) throw new UsageError('name the scenario files to play, or a folder of them');
  const names = Object.keys(values);
  if (values.world !== undefined) {
    const wrong = names.find(name => Object.hasOwn(OF_ENDPOINT, name));
    if (wrong !== undefined) throw new UsageError(`--${wrong} is for --endpoint, not for --world`);
    return { kind: 'world', files, world: values.world, seed: seedOf(values.seed ?? '1') };
  }
  if (values.seed !== undefined) throw new UsageError('--seed is for --world');
  const endpoint = values.endpoint ?? env['PVE_ENDPOINT'] ?? '';
  if (endpoint === '')
    throw new UsageError('say against what: --world NAME|FILE, or --endpoint https://HOST:8006');
  const { writes = false, user = 'root@pam', logins, ca, fingerprint, insecure } = values;
  const tokenFile = values['token-file'];
  return {
    kind: 'endpoint',
    ...{ files, endpoint, writes, user },
    ...(logins === undefined ? {} : { logins }),
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(ca === undefined ? {} : { ca }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    ...(insecure === undefined ? {} : { insecure }),
  };
}

function seedOf(given: string): number {
  if (!/^\d{1,9}$/.test(given))
    throw new UsageError(`--seed needs a whole number, 0 or more; '${given}' is not one`);
  return Number(given);
}
