import { FOLDER_GONE, InputError, InterruptedError, isFolderGone } from '../errors';
import { EXIT, exitCodeOf } from '../report/exit-code';
import { CallCount } from '../report/call-count';
import { coloured, takesColours } from '../report/colours';
import { Reporter } from '../report/reporter';
import { visible } from '../report/visible';
import { ofThisProcess, onInterrupt, type Interrupts } from './interrupt';
import { logSettings } from './log-settings';
import { MOST_PLAN_BYTES } from '../config/named-file';
import { utf8Text } from '../input/file-text';
import type { Surroundings } from '../input/surroundings';
import type { Connections } from '../run/connections';
import type { CommandLine } from './command-line';

/** What a run uses of its process, or of the worker that it is in. */
export interface Host {
  env: NodeJS.ProcessEnv;
  exitCode?: NodeJS.Process['exitCode'];
  stdin: AsyncIterable<Buffer | string> | Iterable<string>;
  stdout: { write: (text: string) => unknown; isTTY?: boolean; errored?: Error | null };
  stderr: { write: (text: string) => unknown; isTTY?: boolean; columns?: number };
  interrupts?: Interrupts;
  connections?: Connections;
  /** Asks who sits at the terminal, where somebody does. */
  ask?: (question: string, signal: AbortSignal) => Promise<string>;
  /** Said before anything else. */
  notice?: string;
  /** Resolves when the run may begin; absent: at once. */
  turn?: Promise<unknown>;
}

/** Tells people what a run does, as its flags and its environment ask for. */
export function reporterFor(
  { quiet, json }: Pick<CommandLine['options'], 'quiet' | 'json'>,
  { stderr, env }: Pick<Host, 'stderr' | 'env'>,
): Reporter {
  const log = logSettings(env);
  const isDrawn = stderr.isTTY === true && env['TERM'] !== 'dumb';
  return new Reporter({
    write: line => stderr.write(line),
    level: quiet ? 'warn' : log.level,
    json: json === true || log.json,
    tellsPercent: json === true,
    // a terminal that does not know its size says 0
    columns: isDrawn ? () => stderr.columns || 80 : undefined,
    // what Terraform or a log reads has none, whatever FORCE_COLOR says
    colours: isDrawn && takesColours(stderr, env),
  });
}

/** Runs one verb as this process, and leaves its exit code behind. Never throws. */
export async function runVerb({ verb, options, words }: CommandLine, host: Host = process): Promise<void> {
  const { env, interrupts = ofThisProcess } = host;
  const reporter = reporterFor(options, host);
  const { signal, stop } = onInterrupt(reporter, interrupts, verb.interrupted);
  // a wait that nothing ends would end the process without a word, and as if all were well
  host.exitCode = EXIT.failed;
  const calls = options.explainCalls === true ? new CallCount() : undefined;
  try {
    if (host.notice !== undefined) reporter.say('info', host.notice);
    await host.turn;
    const { faults } = logSettings(env);
    if (faults.length > 0) throw new InputError(faults.join('\n'));
    const command = await verb.load();
    signal.throwIfAborted();
    const around = surroundings(host, reporter, signal, calls);
    host.exitCode = await command(around, options, words).finally(() => calls && reporter.tellCalls(calls));
  } catch (error) {
    const interrupted: unknown = signal.reason;
    const told =
      interrupted instanceof InterruptedError
        ? interrupted
        : isFolderGone(error)
          ? new InputError(FOLDER_GONE)
          : error;
    // Terraform shows the end of what is said: the step that failed stays last, with its reason
    reporter.endsBy(told, env['PROXMOX_MACHINE']);
    host.exitCode = exitCodeOf(told);
  } finally {
    stop();
    reporter.end();
  }
}

function surroundings(
  { env, stdin, stdout, connections, ask }: Host,
  reporter: Reporter,
  signal: AbortSignal,
  calls: CallCount | undefined,
): Surroundings {
  return {
    environment: env,
    readInput: () => allOf(stdin),
    out: (text, colourOf) => {
      const shown = visible(text);
      return stdout.write(colourOf && takesColours(stdout, env) ? coloured(shown, colourOf) : shown);
    },
    outExact: text => stdout.write(stdout.isTTY === true ? visible(text) : text),
    isLost: () => (stdout.errored ?? null) !== null,
    reporter,
    signal,
    // home, then clear what is below
    ...(stdout.isTTY &&
      env['TERM'] !== 'dumb' && {
        redraw: (text: string) => stdout.write(`\u001b[H\u001b[2J${visible(text)}`),
      }),
    ...(connections && { connections }),
    ...(ask && { ask: (question: string) => ask(visible(question), signal) }),
    ...(calls && { sent: calls.note }),
  };
}

async function allOf(stream: Host['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > MOST_PLAN_BYTES)
      throw new InputError(
        `stdin holds at least ${bytes} bytes, and no more than ${MOST_PLAN_BYTES} are read. Give what is meant, or divide it.`,
      );
    chunks.push(part);
  }
  return utf8Text(Buffer.concat(chunks), 'stdin');
}
