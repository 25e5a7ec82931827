import { rowOf } from '../../record/shape';
import type { Outcome } from '../compare';
import type { Caution } from '../player';
import type { Step } from '../step';
import { makes, namedIn } from './named-guests';
import { wirePath } from './wire-path';

/** How a task ended; undefined: it has not. */
export type TaskEnd = (upid: string) => Promise<string | undefined>;

const POLL_MS = 500;
/** A clone of a large disk takes hours, and so long nothing is written to it. */
const MOST_POLLS = 7200;

/** Where a scenario may write at all. The disks of hosts, their network and their power are not among it. */
const WRITABLE = [
  /^\/nodes\/[^/]+\/(qemu|lxc)(\/|$)/,
  /^\/nodes\/[^/]+\/storage\/[^/]+\/(content|upload|download-url)(\/|$)/,
  /^\/nodes\/[^/]+\/(tasks|vzdump)(\/|$)/,
  /^\/(pools|access|storage)(\/|$)/,
  /^\/cluster\/(options|firewall|mapping|ha\/(rules|resources|groups))(\/|$)/,
];

/** Sends all, but writes to a guest only if this scenario made it, or if somebody said that it may. */
export class OwnGuests implements Caution {
  /** The guests that this scenario made, with the task that does it; 'made' when that is known to have ended well. */
  private readonly making = new Map<string, string>();
  private control: Step | undefined;

  constructor(
    private readonly allowed: ReadonlySet<string>,
    private readonly isSimulator: boolean,
    private readonly taskEnd: TaskEnd,
    private readonly sleep: (ms: number) => Promise<void>,
  ) {}

  async whyNot(step: Step): Promise<string | undefined> {
    if (step.control && !this.isSimulator) this.control ??= step;
    if (this.control === step) return 'only a simulator lets a node fail';
    if (this.control) return `it follows step ${this.control.n}, which only a simulator can do`;
    if (step.control) return undefined;
    const path = wirePath(step);
    if (path === undefined) return 'its path leads out of the API';
    if (['GET', 'HEAD', 'OPTIONS'].includes(step.method)) return undefined;
    const isVague = path.endsWith('/vzdump') && step.params['vmid'] === undefined;
    if (isVague || !WRITABLE.some(each => each.test(path)))
      return 'it acts on hosts, or on guests that it does not name; that is never sent';
    for (const vmid of namedIn({ ...step, path })) {
      if (!(await this.isOurs(vmid)))
        return `it writes to the guest ${vmid}, which this scenario did not make; --guests ${vmid} would allow it`;
    }
    return undefined;
  }

  done(step: Step, { status, body }: Outcome): void {
    const made = makes(step);
    const { data } = rowOf(body);
    if (made !== undefined && status === 200 && typeof data === 'string') this.making.set(made, data);
  }

  /** A task that was taken can still find the id in use: only its end says whose the guest is. */
  private async isOurs(vmid: string): Promise<boolean> {
    if (this.allowed.has(vmid)) return true;
    const upid = this.making.get(vmid);
    if (upid === undefined || upid === 'made') return upid === 'made';
    for (let poll = 0; poll < MOST_POLLS; poll += 1) {
      const end = await this.taskEnd(upid);
      if (end === undefined) {
        await this.sleep(POLL_MS);
        continue;
      }
      if (end !== 'OK' && !end.startsWith('WARNINGS')) return false;
      this.making.set(vmid, 'made');
      return true;
    }
    return false;
  }
}
