import { CommanderError, Command as Program } from 'commander';
import { version } from '../../package.json';
import { closest } from '../../spec';
import { visible } from '../report/visible';
import type { Options } from '../input/surroundings';
import { hintFor } from './typed/hints';
import {
  calledByTerraform,
  otherMeaning,
  otherSubcommand,
  unknownVerb,
  withoutSubcommand,
} from './typed/unknown-verb';
import { FLAGS } from './flags';
import { inputsOf, type Verb } from './verb';
import { VERBS } from './verbs';

/** What the command line asks for. */
export interface CommandLine {
  verb: Verb;
  options: Options;
  words: string[];
}

/** Where errors in the words of a line are written. */
type Print = (text: string) => void;

const toStderr: Print = text => void process.stderr.write(text);

const EXIT_CODES = `
Exit codes: 0 done · 1 Proxmox did not do it · 2 wrong input, nothing was sent · 3 refused · 4 plan --check found
changes · 5 review --fail-on found what it names · 129, 130, 143 interrupted

The way to Proxmox comes from the environment: PVE_ENDPOINT, PVE_TOKEN_ID and PVE_TOKEN_SECRET, or PVE_USERNAME and
PVE_PASSWORD (each also as …_FILE), PVE_CA_BUNDLE or PVE_FINGERPRINT. LOG_LEVEL is error, warn, info or debug;
LOG_FORMAT is text or json. PVE_RUN=alone: the processes that Terraform starts share no worker.`;

/** Reads a command line of this process and runs what it asks for. Wrong words exit 2: nothing was sent. */
export async function commandLine(
  words: string[],
  run: (asked: CommandLine) => Promise<void>,
): Promise<void> {
  try {
    await program(run).parseAsync(withoutHelp(versionFirst(words)), { from: 'user' });
  } catch (error) {
    // help and version come here too, with 0
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  }
}

/** The version of the program is told behind a verb too, unless that has a flag of this name. */
function versionFirst(words: string[]): string[] {
  const [verb = '', ...rest] = words;
  const isAsked = rest.includes('-V') || rest.includes('--version');
  const hasOwn = VERBS.some(({ name, flags }) => name === verb && flags.includes('version'));
  return isAsked && !hasOwn ? ['--version'] : words;
}

/** `help` of a word that is no verb: what is said of that word helps more than the help of all. */
function withoutHelp(words: string[]): string[] {
  const [first, verb, ...more] = words;
  const isVerb = verb === undefined || verb === 'help' || VERBS.some(({ name }) => name === verb);
  return first !== 'help' || isVerb ? words : [verb, ...more];
}

/** Every verb with its options, for one reading of a command line. */
export function program(run: (asked: CommandLine) => Promise<void>, write: Print = toStderr): Program {
  const all = new Program('pve-reconciler')
    .description('Makes Proxmox match a spec.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [verb]', 'print the help of a verb')
    // a verb may have a flag of the same name
    .enablePositionalOptions()
    .exitOverride()
    // what was typed may be repeated in an error
    .configureOutput({ writeErr: text => write(visible(text)) })
    .addHelpText('after', EXIT_CODES);
  VERBS.forEach(verb => all.addCommand(commandFor(verb, run, write)));
  return all
    .usage('<verb> [options]')
    .argument('[verb]')
    .allowExcessArguments()
    .allowUnknownOption()
    .action((typed?: string) => {
      if (typed === undefined) return all.outputHelp();
      if (typed === 'version') return all.configureOutput().writeOut?.(`${version}\n`);
      return all.error(`error: ${unknownVerb(all.args, VERBS)}`);
    });
}

function commandFor(verb: Verb, run: (asked: CommandLine) => Promise<void>, write: Print): Program {
  const command: Program = new Program(verb.name)
    .description(verb.says)
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(verb.others === true)
    .allowUnknownOption(verb.others === true)
    .exitOverride()
    .configureOutput({
      writeErr: text => write(visible(text)),
      outputError: (error, out) => out(withHint(error, verb, [...command.args, ...inputsOf(command.opts())])),
    })
    .addHelpText(
      'after',
      () => `${firstWords(verb, command.args)}\nExamples:\n${examples(verb, command.args)}`,
    );
  const { wordsSay = 'only this one' } = verb;
  verb.words
    ?.split(' ')
    .forEach((word, at) =>
      command.argument(word, typeof wordsSay === 'string' ? wordsSay : (wordsSay[at] ?? '')),
    );
  verb.flags.forEach(name => addFlag(command, name));
  return command.action(async () => {
    const options = command.opts<Options>();
    const [first = '', ...rest] = command.args;
    if (first.startsWith('-') && verb.others) command.error(`error: unknown option '${first}'`);
    if (first !== '' && verb.others)
      command.error(`error: ${otherMeaning(verb, [...command.args, ...inputsOf(options)], VERBS)}`);
    const meant = meantBy(verb, first);
    if (meant !== undefined) {
      const form = options.output === undefined ? [] : ['-o', options.output];
      const typed = [...rest, ...inputsOf(options), ...form];
      command.error(`error: ${otherSubcommand(verb, [first, meant], typed, VERBS)}`);
    }
    if (lacksSubcommand(verb, first))
      command.error(`error: ${withoutSubcommand(verb, [...command.args, ...inputsOf(options)], VERBS)}`);
    await run({ verb, options, words: command.args });
  });
}

/** The word of ours that is meant by one of other programs. */
function meantBy({ meant = {} }: Verb, first: string): string | undefined {
  return Object.hasOwn(meant, first) ? meant[first] : undefined;
}

/** Whether the name of a machine stands where a subcommand belongs. */
function lacksSubcommand(verb: Verb, first: string): boolean {
  if (verb.first === undefined || verb.machines === undefined || /^(?:-.*)?$/.test(first)) return false;
  const known = [...Object.keys(verb.first), ...Object.keys(verb.meant ?? {})];
  return !known.includes(first) && closest(first, known) === undefined;
}

/** An error in the words of a verb, with what to write in their place where that is known. */
function withHint(error: string, verb: Verb, typed: readonly string[]): string {
  const [first = '', ...rest] = typed;
  if (error.includes('missing required argument') && verb.machines !== undefined) {
    const meant = meantBy(verb, first);
    if (meant !== undefined) return `error: ${otherSubcommand(verb, [first, meant], rest, VERBS)}\n`;
    if (lacksSubcommand(verb, first)) return `error: ${withoutSubcommand(verb, typed, VERBS)}\n`;
  }
  const hint =
    verb.instead === undefined ? hintFor(error, verb, typed) : calledByTerraform(verb, typed, VERBS);
  return hint === undefined ? error : `${error}${hint}\n`;
}

/** What each subcommand does; only the one that was typed where one was. */
function firstWords({ first = {} }: Verb, [typed = '']: string[]): string {
  const words = Object.keys(first).filter(word => !Object.hasOwn(first, typed) || word === typed);
  if (words.length === 0) return '';
  const longest = Math.max(...words.map(word => word.length));
  const lines = words.map(word => `  ${word.padEnd(longest)}  ${first[word] ?? ''}`);
  return `\nWhat it does:\n${lines.join('\n')}\n`;
}

function examples({ name, examples: all, first = {} }: Verb, [typed = '']: string[]): string {
  const isAsked = (example: string): boolean => example.startsWith(`pve-reconciler ${name} ${typed} `);
  const own = Object.hasOwn(first, typed) ? all.filter(isAsked) : [];
  return (own.length > 0 ? own : all).map(example => `  ${example}`).join('\n');
}

const REPEATED: readonly (keyof typeof FLAGS)[] = ['spec', 'stackFolder', 'manifests'];

function addFlag(command: Program, name: keyof typeof FLAGS): void {
  const [flag, says] = FLAGS[name];
  if (!REPEATED.includes(name)) command.option(flag, says);
  else command.option(flag, says, (file: string, before: string[] = []) => [...before, file]);
}
