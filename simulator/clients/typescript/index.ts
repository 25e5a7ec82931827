import { request } from 'node:https';
import { TLSSocket } from 'node:tls';
import { GenericContainer, Wait, type StartedTestContainer } from 'testcontainers';

const PORT = 8006;

/** What a client needs to reach the cluster. */
export interface Access {
  url: string;
  /** The authority of its certificate, PEM. */
  ca: string;
  fingerprint: string;
  user: string;
  password: string;
  /** As it stands behind `Authorization: PVEAPIToken=`. */
  token: string;
}

export interface Settings {
  image?: string;
  /** Options of the program, such as `['--world', 'homelab']`. */
  options?: string[];
}

export interface StartedSimulator extends Access, AsyncDisposable {
  container: StartedTestContainer;
  stop(): Promise<void>;
}

/** Starts a Proxmox cluster in memory, in a container. Stop it, or write `await using`. */
export async function startPveSimulator(settings: Settings = {}): Promise<StartedSimulator> {
  const { image = 'pve-simulator', options = [] } = settings;
  const container = await new GenericContainer(image)
    .withCommand(options)
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forLogMessage(/"tokenSecret"/))
    .start();
  const stop = async (): Promise<void> => void (await container.stop());
  try {
    const url = `https://${container.getHost()}:${container.getMappedPort(PORT)}`;
    const access = await accessTo(url, await readyLine(container));
    return { ...access, container, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readyLine(container: StartedTestContainer): Promise<string> {
  let text = '';
  const log = await container.logs();
  for await (const chunk of log) {
    text += String(chunk);
    const line = /\{"url".*\}/.exec(text)?.[0];
    if (line !== undefined) return line;
  }
  throw new Error(`the simulator ended before it listened: ${text}`);
}

/** Makes access of a URL and of the line that the program prints when it listens. */
export async function accessTo(url: string, line: string): Promise<Access> {
  const { fingerprint, user, password, tokenId, tokenSecret } = JSON.parse(line) as Record<string, string>;
  if (!fingerprint || !user || !password) throw new Error(`this is no line of the simulator: ${line}`);
  const ca = await authority(`${url}/_sim/ca`, fingerprint);
  return { url, ca, fingerprint, user, password, token: `${tokenId}=${tokenSecret}` };
}

/** The authority, from a server that is known by its fingerprint alone. */
function authority(url: string, fingerprint: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { rejectUnauthorized: false, agent: false }, answer => {
      const shown =
        answer.socket instanceof TLSSocket ? answer.socket.getPeerCertificate().fingerprint256 : '';
      if (answer.statusCode !== 200) reject(new Error(`${url} answers ${answer.statusCode}`));
      if (shown !== fingerprint) reject(new Error(`${url} shows ${shown}, and its log says ${fingerprint}`));
      let text = '';
      answer.setEncoding('utf8').on('data', chunk => (text += chunk));
      answer.on('end', () => resolve(text));
    });
    asked.on('error', reject).end();
  });
}
