import { program } from '../../../reconciler/commands/command-line';
import { runVerb, type Host } from '../../../reconciler/commands/run-verb';
import { desiredJson, type Json } from '../cluster/lab';
import type { Stage } from './stage';

/** One line of the program, run to its end. */
export interface Line {
  code: Host['exitCode'];
  out: string;
  said: string;
  /** The question that was asked. */
  asked: string;
}

/** Runs one line as a person does, who says yes to what is asked; `meanwhile` comes before the yes. */
export async function line(
  stage: Stage,
  words: string[],
  machines: Json[],
  meanwhile?: () => Promise<unknown>,
): Promise<Line> {
  const ran: Line = { code: undefined, out: '', said: '', asked: '' };
  const host: Host = {
    env: { ...stage.lab.access, PVE_TASK_POLL_INTERVAL: '5ms' },
    stdin: [JSON.stringify(desiredJson(machines, { pollFloor: '5ms' }))],
    stdout: { write: text => (ran.out += text) },
    stderr: { write: text => (ran.said += text) },
    ask: async question => {
      ran.asked += question;
      await meanwhile?.();
      return 'yes';
    },
  };
  await program(asked => runVerb(asked, host)).parseAsync([...words, '--spec', '-'], { from: 'user' });
  return { ...ran, code: host.exitCode };
}

/** All that was said, for whoever looks into a fault. */
export function textsOf(...lines: Line[]): string[] {
  return lines.flatMap(({ out, said, asked }) => [out, asked, said]).filter(text => text !== '');
}
