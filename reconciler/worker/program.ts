import '../input/interpret-schemas';
import type { Program, Undone } from '../client/shared-run';
import { askAtTerminal } from '../commands/asking/ask-at-terminal';
import { runVerb, type Host } from '../commands/run-verb';
import { VERBS } from '../commands/verbs';
import { serve } from './serve';

/** Said where a worker ended in the midst of a run: what it told already comes a second time. */
const LOST =
  'the process that the runs of this user share has ended before this run did. This run begins again, alone.';

/** Does what the words of a command line ask for, in this process. */
export const runAlone: Program['runAlone'] = async (words, before) => {
  const host = ofThisProcess(before);
  const [word, ...more] = words;
  // Terraform calls a verb alone, once a machine: there is nothing to parse then, and the parser is not loaded
  const verb = VERBS.find(({ name }) => name === word && more.length === 0);
  if (verb) return runVerb({ verb, options: {}, words: [] }, host);
  const { commandLine } = await import('../commands/program.js');
  return commandLine(words, asked => runVerb(asked, host));
};

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

// started as a worker, with the path of its socket
const [, , socket] = process.argv;
if (require.main === module && socket !== undefined) serve(socket);
