import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import type { Json } from '../cluster/lab';
import { DoubledWrites, type SeenGuest, type SeenTask } from './doubled-writes';
import { clusterDocuments } from './kubernetes-lab';

/** A guest as the cluster lists it. */
interface Guest {
  vmid: number;
  name: string;
  tags: string;
  isRunning: boolean;
}

interface Ready {
  url: string;
  caFile: string;
  tokenId: string;
  tokenSecret: string;
}

const OURS = /^m\d+$/;
const LOOK_MS = 300;

/** A simulated cluster in a process of its own, which keeps its world while it is ended and started again. */
export async function startPrivateCluster(folder: string) {
  const program = join(process.cwd(), 'dist', 'simulator.cjs');
  const state = join(folder, 'state.json');
  let child: ChildProcess;
  let port = 0;
  const begin = async (): Promise<Ready> => {
    const args = ['--state', state, '--task-ms', '50', '--port', String(port), '--nodes', '3'];
    child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    return JSON.parse(line.toString()) as Ready;
  };
  const end = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  const { url, caFile, tokenId, tokenSecret } = await begin();
  port = Number(new URL(url).port);
  const ca = readFileSync(caFile, 'utf8');
  const agent = new Agent({ ca });
  const guests = async (): Promise<Guest[]> => {
    const headers = { authorization: `PVEAPIToken=${tokenId}=${tokenSecret}` };
    const text = await textOf(`${url}/api2/json/cluster/resources?type=vm`, { agent, headers });
    const { data } = JSON.parse(text) as { data: Json[] };
    return data
      .filter(({ name }) => OURS.test(String(name)))
      .map(each => ({
        ...{ vmid: Number(each['vmid']), name: String(each['name']), tags: String(each['tags'] ?? '') },
        isRunning: each['status'] === 'running',
      }));
  };
  const doubled = new DoubledWrites();
  /** The cluster writes its state down several times a second, and whole. */
  const look = (): SeenTask[] => {
    const { world, tasks } = JSON.parse(readFileSync(state, 'utf8')) as {
      world: { guests: Record<string, SeenGuest> };
      tasks: SeenTask[];
    };
    doubled.see(Object.values(world.guests).filter(({ config }) => OURS.test(config.name ?? '')));
    return tasks;
  };
  const looking = setInterval(look, LOOK_MS).unref();
  return {
    documents: clusterDocuments({ url, ca }, { id: tokenId, secret: tokenSecret }, 'lab'),
    guests,
    /** What was made twice since the beginning, by what was seen and by all tasks. */
    doubled: (): string[] => doubled.faultsBy(look()),
    restart: async (): Promise<void> => {
      await end();
      await begin();
    },
    close: (): Promise<void> => {
      clearInterval(looking);
      return end();
    },
  };
}

export type PrivateCluster = Awaited<ReturnType<typeof startPrivateCluster>>;

function textOf(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, options, response => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(text));
    });
    asked.once('error', reject).end();
  });
}
