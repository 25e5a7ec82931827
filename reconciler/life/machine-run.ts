import { TokenFacts } from './token-facts';
import { QmCleanup } from './qm-cleanup';
import { ChosenId } from './claim/chosen-id';
import { DoneSoFar } from './done-so-far';
import { MachinePlanner } from './machine-planner';
import { MachineReader } from './machine-reader';
import { Hindrances } from './hindrances';
import type { Pve } from '../pve';
import { Rivals } from './claim/rivals';
import type { Run } from '../run/run';
import { Reporting } from './reporting';
import { TimeLimit } from '../waits/time-limit';
import { Waiting } from '../waits/waiting';
import type { Wanted } from '../run/wanted';

/** One machine within one run: the record that is handed along, with what reads it, plans it, waits for it and tells of it. */
export class MachineRun {
  readonly id: string;
  readonly timeLimit: TimeLimit;
  readonly waiting: Waiting;
  readonly hindrances: Hindrances;
  readonly chosenId: ChosenId;
  readonly rivals: Rivals;
  readonly reader: MachineReader;
  readonly planner: MachinePlanner;
  readonly qmCleanup: QmCleanup;
  readonly done: DoneSoFar;
  readonly reporting: Reporting;
  /** The snapshot that holds the machine as it was before the change that is at work. */
  wayBack: string | undefined;

  constructor(
    readonly run: Run,
    readonly wanted: Wanted,
  ) {
    this.id = wanted.spec.id;
    this.reporting = new Reporting(this.id, run.report);
    this.done = new DoneSoFar(wanted.identity);
    this.timeLimit = new TimeLimit(wanted.spec.timeouts);
    this.waiting = new Waiting(this.id, this.timeLimit, run);
    this.hindrances = new Hindrances(run, wanted, this.waiting);
    this.chosenId = new ChosenId(run, wanted);
    const copiesTags = wanted.spec.image?.machine !== undefined;
    this.rivals = new Rivals(run, wanted.identity, copiesTags, this.waiting);
    const tokenFacts = new TokenFacts(run, wanted, this.chosenId, this.rivals);
    this.reader = new MachineReader(run, wanted, tokenFacts, this.rivals, this.done);
    this.planner = new MachinePlanner(run, wanted, tokenFacts, this.hindrances, this.chosenId, this.done);
    this.qmCleanup = new QmCleanup(this.id, run, this.waiting);
  }

  get pve(): Pve {
    return this.run.pve;
  }

  get signal(): AbortSignal {
    return this.run.signal;
  }
}
