import { besideText, checkOut, writeOut } from './file';
import { Disguise } from './disguise/disguise';
import type { RecordOptions } from './options';
import { startProxy } from './proxy/proxy';
import { parseRecord, RECORD_USAGE } from './options';
import { reportOf } from './report';
import { readEndpoint } from './server/endpoint';
import { Reader } from './server/reader';
import { readToken } from './server/token';
import { readTrust } from './server/trust';
import { recordWorld } from './world/record-world';

/** `pve-simulator record`: a world file, or with `--proxy` a scenario file, of a real cluster. Gives what ends the proxy. */
export async function record(argv: string[]): Promise<(() => Promise<void>) | undefined> {
  const options = parseRecord(argv);
  if (!options) {
    process.stdout.write(RECORD_USAGE);
    return undefined;
  }
  const server = readEndpoint(options.endpoint ?? process.env['PVE_ENDPOINT']);
  const trust = readTrust(options, process.env);
  if (options.proxy) return startProxy(options, server, trust);
  await recordToFile(options, server, trust);
  return undefined;
}

async function recordToFile(
  { out, force, keep, seed, tokenFile }: RecordOptions,
  server: URL,
  trust: ReturnType<typeof readTrust>,
): Promise<void> {
  const token = readToken(tokenFile, process.env);
  checkOut(out, force);
  const reader = new Reader(server, trust, token);
  // nobody but the holder of the token can try which name stands behind another
  const disguise = new Disguise(seed ?? token.secret, keep);
  const remarks: string[] = [];
  try {
    const world = await recordWorld({ reader, disguise, remark: text => remarks.push(text) });
    const written = writeOut(out, `${JSON.stringify(world, null, 1)}\n`, force);
    remarks.unshift(...besideText(out, written));
    process.stdout.write(reportOf(written, disguise, reader.unread, remarks));
  } finally {
    reader.close();
  }
}
