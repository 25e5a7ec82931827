import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { reachable } from '../api/shown-url';
import { parseOptions } from './options';
import { UsageError } from './usage-error';

/** So long an answer may take. */
const PATIENCE_MS = 3000;
/** Where the image listens, and Proxmox. */
const USUAL_PORT = 8006;

const HEALTH_USAGE = `Usage: pve-simulator health [URL]

Ends with 0 where a simulator answers, else with 1. Without a URL it asks where the options of the container
say, else PVE_SIM_HOST and PVE_SIM_PORT, else port ${USUAL_PORT} of this machine.
`;

/** `pve-simulator health [URL]`: whether a simulator answers there. Without a URL, where the container or the variables say. */
export async function health(words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(HEALTH_USAGE);
    return 0;
  }
  const url = words[0] ?? usualUrl(env);
  if (words.length > 1 || !/^https:\/\/[^/?#]+\/?$/.test(url))
    throw new UsageError(`health takes one URL such as https://127.0.0.1:8006, not '${words.join(' ')}'`);
  const fault = await faultOf(url);
  if (fault === undefined) process.stdout.write(`${url} answers\n`);
  else process.stderr.write(`pve-simulator: ${url}: ${fault}\n`);
  return fault === undefined ? 0 : 1;
}

function usualUrl(env: NodeJS.ProcessEnv): string {
  const { host, port } = parseOptions(optionsOfFirst(), env);
  return reachable(host, port === 0 ? USUAL_PORT : port);
}

/** In a container the first process is the simulator, or starts it: its options say where it listens. */
function optionsOfFirst(): string[] {
  try {
    return optionsIn(readFileSync('/proc/1/cmdline', 'utf8'), process.argv[1] ?? '');
  } catch {
    return [];
  }
}

/** The options of a program, in the words of a process that runs it. */
export function optionsIn(commandLine: string, program: string): string[] {
  const words = commandLine.split('\0').slice(0, -1);
  const at = words.indexOf(program);
  return at === -1 ? [] : words.slice(at + 1);
}

/** Why there is no simulator; undefined where there is one. Its certificate is not judged: no secret is sent. */
function faultOf(url: string): Promise<string | undefined> {
  return new Promise(resolve => {
    const path = new URL('/_sim/health', url);
    const asked = request(path, { rejectUnauthorized: false, timeout: PATIENCE_MS }, answer => {
      answer.resume();
      resolve(
        answer.statusCode === 200 ? undefined : `this is no simulator: it answers ${answer.statusCode}`,
      );
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)));
    asked.on('error', error => resolve(error.message));
    asked.end();
  });
}
