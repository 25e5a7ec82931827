import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { Download } from '../../world';

/** The host and the port that an address names, and whether the host is a plain address. */
function hostOf(url: string): { host: string; port: string; literal: boolean } {
  const [, scheme = 'http', host = '', port] =
    /^(https?):\/\/([^/:?#]+|\[[^\]]*\])(?::(\d+))?/.exec(url) ?? [];
  const literal = /^[\d.]+$|^\[/.test(host) || host === 'localhost';
  return { host, port: port ?? (scheme === 'https' ? '443' : '80'), literal };
}

/** The file at an address as wget finds it, logging wget's lines; without it Proxmox's failure. */
export function downloadFile(sim: Sim, url: string, log: (line: string) => void): Download {
  const at = new Date(sim.clock.now()).toISOString().slice(0, 19).replace('T', ' ');
  log(`${at}  ${url}`);
  const { host, port, literal } = hostOf(url);
  const found = sim.world.downloads?.[url];
  if (!found && literal)
    fail(`download failed: Connecting to ${host}:${port}... failed: Connection refused.`);
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

/** What a HEAD request says of an address: the size, or Proxmox's failure. */
export function urlMetadata(sim: Sim, url: string): { size: number; filename: string; mimetype: string } {
  const { host, port, literal } = hostOf(url);
  const found = sim.world.downloads?.[url];
  const refuse = (why: string): never => fail(`invalid server response: '${why}'`);
  if (!found && literal) refuse(`500 Can't connect to ${host}:${port} (Connection refused)`);
  if (!found && !isKnownHost(sim, host)) {
    refuse(`500 Can't connect to ${host}:${port} (Name or service not known)`);
  }
  if (!found) return refuse('404 Not Found');
  const [path = ''] = url.split(/[?#]/);
  return {
    size: found.size,
    filename: path.slice(path.lastIndexOf('/') + 1),
    mimetype: 'application/octet-stream',
  };
}

/** Whether some file is to be found at this host. */
function isKnownHost(sim: Sim, host: string): boolean {
  return Object.keys(sim.world.downloads ?? {}).some(url => hostOf(url).host === host);
}
