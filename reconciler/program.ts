import './input/interpret-schemas';
import { isHanging } from './config/answered';
import type { Program, Undone } from './client/shared-run';
import { askAtTerminal } from './commands/asking/ask-at-terminal';
import { optionsIn } from './worker/job-run';
import { reporterFor, runVerb, type Host } from './commands/run-verb';
import { EXIT_CODES, type InterruptName } from './client/messages';
import { VERBS } from './commands/verbs';
import { serve } from './worker/serve';

/** Said where a worker ended in the midst of a run: what it told already comes a second time. */
const LOST =
  'the process that the runs of this user share has ended before this run did. This run begins again, alone.';

/** Said where it ended in the midst of an interrupt. */
const LOST_AT_END =
  'nothing more is started; the process that did this run has ended, so that nobody can tell what of it is under way in Proxmox. Running again is safe: it finds that.';

/** Does what the words of a command line ask for, in this process. */
export const runAlone: Program['runAlone'] = async (words, before) => {
  if (before.interrupted) return tellInterrupted(words, before.interrupted);
  const host = ofThisProcess(before);
  const [word, ...more] = words;
  // Terraform calls a verb alone, once a machine: there is nothing to parse then, and the parser is not loaded
  const verb = VERBS.find(({ name }) => name === word && more.length === 0);
  if (verb) return runVerb({ verb, options: {}, words: [] }, host).finally(endAnyway);
  const { commandLine } = await import('./commands/command-line.js');
  return commandLine(words, asked => runVerb(asked, host).finally(endAnyway));
};

/** A thread that waits for a mount would hold this process for ever, `process.exit` too: the code of its end is 137 then. */
async function endAnyway(): Promise<void> {
  if (!isHanging()) return;
  await Promise.all(
    [process.stdout, process.stderr].map(stream => new Promise(told => stream.write('', told))),
  );
  process.kill(process.pid, 'SIGKILL');
}

function tellInterrupted(words: readonly string[], name: InterruptName): void {
  const reporter = reporterFor(optionsIn(words), process);
  reporter.say('warn', `${name}: ${LOST_AT_END}`);
  reporter.end();
  process.exitCode = EXIT_CODES[name];
}

function ofThisProcess({ input, hasLostWorker }: Undone): Host {
  const { env, stdin, stdout, stderr } = process;
  return {
    env,
    stdin: input === undefined ? stdin : [input],
    stdout,
    stderr,
    get exitCode() {
      return process.exitCode;
    },
    set exitCode(code) {
      process.exitCode = code;
    },
    ...(hasLostWorker && { notice: LOST }),
    ...(stdin.isTTY && stderr.isTTY && { ask: askAtTerminal }),
  };
}

export { serve };
