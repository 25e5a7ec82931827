import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Download } from '../../world';
import { fetchLoopback, isLoopback } from './fetch';

/** The host and the port that an address names, and whether the host is a plain address. */
function hostOf(url: string): { host: string; port: string; literal: boolean } {
  const [, scheme = 'http', host = '', port] =
    /^(https?):\/\/([^/:?#]+|\[[^\]]*\])(?::(\d+))?/.exec(url) ?? [];
  const literal = /^[\d.]+$|^\[/.test(host) || host === 'localhost';
  return { host, port: port ?? (scheme === 'https' ? '443' : '80'), literal };
}

/** The file at an address as wget finds it, logging wget's lines; without it Proxmox's failure. */
export async function downloadFile(sim: Sim, url: string, log: (line: string) => void): Promise<Download> {
  const at = new Date(sim.clock.now()).toISOString().slice(0, 19).replace('T', ' ');
  log(`${at}  ${url}`);
  const { host, port, literal } = hostOf(url);
  const found = sim.world.downloads?.[url];
  const refused = `download failed: Connecting to ${host}:${port}... failed: Connection refused.`;
  if (!found && isLoopback(url)) return fromSocket(url, { at, refused, log });
  if (!found && literal) fail(refused);
  if (!found && !isKnownHost(sim, host)) {
    log(`Resolving ${host} (${host})... failed: Name or service not known.`);
    fail(`download failed: wget: unable to resolve host address '${host}'`);
  }
  log(`Resolving ${host} (${host})... 192.0.2.254`);
  log(`Connecting to ${host} (${host})|192.0.2.254|:${port}... connected.`);
  if (!found) {
    log('HTTP request sent, awaiting response... 404 Not Found');
    fail(`download failed: ${at} ERROR 404: Not Found.`);
  }
  log('HTTP request sent, awaiting response... 200 OK');
  return found;
}

/** The file that really stands at an address of this machine. */
async function fromSocket(
  url: string,
  { at, refused, log }: { at: string; refused: string; log: (line: string) => void },
): Promise<Download> {
  const { status, body } = await fetchLoopback('GET', url, refused);
  log(`HTTP request sent, awaiting response... ${status}`);
  if (!status.startsWith('200')) fail(`download failed: ${at} ERROR ${status.replace(' ', ': ')}.`);
  return { size: body.length, text: body.toString('latin1') };
}

/** What a HEAD request says of an address: the size, or Proxmox's failure. */
export async function urlMetadata(
  sim: Sim,
  url: string,
): Promise<{ size: number; filename: string; mimetype: string }> {
  const { host, port, literal } = hostOf(url);
  const found = sim.world.downloads?.[url];
  const refuse = (why: string): never => fail(said(why));
  const refused = `500 Can't connect to ${host}:${port} (Connection refused)`;
  const real = !found && isLoopback(url) ? await fetchLoopback('HEAD', url, said(refused)) : undefined;
  if (real && !real.status.startsWith('200')) refuse(real.status);
  if (!found && !real && literal) refuse(refused);
  if (!found && !real && !isKnownHost(sim, host)) {
    refuse(`500 Can't connect to ${host}:${port} (Name or service not known)`);
  }
  const size = found?.size ?? real?.size ?? refuse('404 Not Found');
  const [path = ''] = url.split(/[?#]/);
  return {
    size,
    filename: path.slice(path.lastIndexOf('/') + 1),
    mimetype: 'application/octet-stream',
  };
}

function said(why: string): string {
  return `invalid server response: '${why}'`;
}

/** Whether some file is to be found at this host. */
function isKnownHost(sim: Sim, host: string): boolean {
  return Object.keys(sim.world.downloads ?? {}).some(url => hostOf(url).host === host);
}
