import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { TLSSocket } from 'node:tls';
import { connect } from 'node:tls';

/**
 * How fast the simulator is, and how large: npm run bench:simulator. The server is one process, this client another. Where
 * others work on the machine too, what counts is the server's own time on a processor.
 */
const LARGE = ['--nodes', '32', '--guests', '10000'];
/** Ticks of /proc/PID/stat in a second: 100 on each Linux. */
const TICKS = 100;
const CONNECTIONS = 32;
const SECONDS = 5;
const STARTS = 7;
const LOOKS = 15;

interface Ready {
  url: string;
  tokenId: string;
  tokenSecret: string;
}

interface Started {
  child: ChildProcess;
  ready: Ready;
  ms: number;
}

function start(args: string[]): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, ['dist/simulator.cjs', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', (line: Buffer) => {
      const ms = performance.now() - began;
      resolve({ child, ready: JSON.parse(line.toString()), ms });
    });
  });
}

const stop = ({ child }: Started): Promise<void> =>
  new Promise(resolve => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

const requestFor = ({ tokenId, tokenSecret }: Ready, path: string): string =>
  `GET /api2/json${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: PVEAPIToken=${tokenId}=${tokenSecret}\r\n\r\n`;

/** A connection that sends one request after another; the server closes it after a hundred. */
class Client {
  private socket: TLSSocket | undefined;
  private answered: (whole: boolean) => void = () => undefined;
  private missing = -1;
  private head = '';

  constructor(private readonly port: number) {}

  async ask(request: string): Promise<void> {
    for (;;) {
      this.socket ??= await this.open();
      const whole = new Promise<boolean>(resolve => (this.answered = resolve));
      this.socket.write(request);
      if (await whole) return;
    }
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port: this.port, rejectUnauthorized: false });
    socket.on('data', (bytes: Buffer) => this.take(bytes));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.socket = undefined;
      this.answered(false);
    });
    return new Promise(resolve => socket.once('secureConnect', () => resolve(socket)));
  }

  private take(bytes: Buffer): void {
    if (this.missing < 0) {
      this.head += bytes.toString('latin1');
      const end = this.head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(this.head)?.[1] ?? 0);
      this.missing = length - (this.head.length - end - 4);
    } else this.missing -= bytes.length;
    if (this.missing > 0) return;
    const isLast = this.head.includes('Connection: close');
    this.missing = -1;
    this.head = '';
    if (isLast) {
      this.socket?.removeAllListeners('close');
      this.socket?.destroy();
      this.socket = undefined;
    }
    this.answered(true);
  }
}

interface Figures {
  perSecond: number;
  /** Of the server's time on a processor. */
  perCoreSecond: number;
  mostMiB: number;
}

/** The seconds that a process has had on processors. */
function processorSeconds({ pid = 0 }: ChildProcess): number {
  const [, fields = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
  return (user + system) / TICKS;
}

/** The most memory that it ever had, or has now. */
function residentMiB({ pid = 0 }: ChildProcess, which: 'VmHWM' | 'VmRSS'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}

async function requestsTo(args: string[], path: string): Promise<Figures> {
  const started = await start(args);
  const port = Number(new URL(started.ready.url).port);
  const request = requestFor(started.ready, path);
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(port));
  let answered = 0;
  const until = async (end: number): Promise<void> => {
    await Promise.all(
      clients.map(async client => {
        while (performance.now() < end) {
          await client.ask(request);
          answered += 1;
        }
      }),
    );
  };
  await until(performance.now() + 1000);
  answered = 0;
  const [began, spent] = [performance.now(), processorSeconds(started.child)];
  await until(began + SECONDS * 1000);
  const figures = {
    perSecond: Math.round(answered / ((performance.now() - began) / 1000)),
    perCoreSecond: Math.round(answered / (processorSeconds(started.child) - spent)),
    mostMiB: residentMiB(started.child, 'VmHWM'),
  };
  clients.forEach(client => client.close());
  await stop(started);
  return figures;
}

async function resources(): Promise<{ times: number[]; atStart: number; most: number }> {
  const started = await start(LARGE);
  const atStart = residentMiB(started.child, 'VmRSS');
  const client = new Client(Number(new URL(started.ready.url).port));
  const times: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    const began = performance.now();
    await client.ask(requestFor(started.ready, '/cluster/resources'));
    times.push(performance.now() - began);
  }
  const most = residentMiB(started.child, 'VmHWM');
  client.close();
  await stop(started);
  return { times, atStart, most };
}

async function readyTimes(args: string[]): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < STARTS; run += 1) {
    const started = await start(args);
    times.push(started.ms);
    await stop(started);
  }
  return times;
}

function spread(times: number[]): string {
  const sorted = [...times].sort((a, b) => a - b).map(Math.round);
  return `min ${sorted[0]} ms, median ${sorted[Math.floor(sorted.length / 2)]} ms`;
}

const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;

async function main(): Promise<void> {
  const [cpu] = cpus();
  const gib = Math.round(totalmem() / 1024 ** 3);
  console.log(
    `node ${process.version}, ${cpus().length} cores (${cpu?.model.trim()}), ${gib} GiB, ${load()}`,
  );
  console.log('32 nodes, 10,000 guests:');
  console.log(`  ready: ${spread(await readyTimes(LARGE))}, ${load()}`);
  for (const path of ['/version', '/nodes/pve1/qemu/9000/config', '/nodes/pve1/qemu', '/nodes']) {
    const { perSecond, perCoreSecond, mostMiB } = await requestsTo(LARGE, path);
    console.log(
      `  GET ${path}: ${perSecond} requests/s, ${perCoreSecond} a second of processor, ${mostMiB} MiB at most, ${load()}`,
    );
  }
  const { times, atStart, most } = await resources();
  console.log(`  GET /cluster/resources: ${spread(times)}, ${load()}`);
  console.log(`  resident: ${atStart} MiB when ready, ${most} MiB at most after ${LOOKS} such lists`);
  console.log('default world:');
  for (const path of ['/version', '/nodes/pve1/qemu/9000/config', '/nodes/pve1/qemu']) {
    const { perSecond, perCoreSecond } = await requestsTo([], path);
    console.log(`  GET ${path}: ${perSecond} requests/s, ${perCoreSecond} a second of processor, ${load()}`);
  }
  console.log(`  ready: ${spread(await readyTimes([]))}, ${load()}`);
}

void main();
