import type { Failure } from './failure';

/** Whether Perl takes the text for a number. */
export function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.\d+|\d+\.|\.\d+|\d+)([eE][+-]?\d+)?\n?$/.test(text);
}

/** Whether Perl takes the text for a whole number. */
export function isInteger(text: string): boolean {
  return /^[+-]?\d+\n?$/.test(text);
}

/** A list as Proxmox splits it: by commas, semicolons and blanks, or by NUL when there is one. Nothing is an empty list. */
export function splitList(text = ''): string[] {
  if (text.includes('\0')) return dropTrailingEmpty(text.split('\0'));
  const plain = text.replace(/[,;]/g, ' ').replace(/^\s+/, '');
  return plain === '' ? [] : dropTrailingEmpty(plain.split(/\s+/));
}

function dropTrailingEmpty(parts: string[]): string[] {
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

/** A failure as text, as Proxmox embeds one in another: its status unless that is 500, the message, a line for each parameter. */
export function describeFailure(failure: Failure): string {
  const lines = Object.entries(failure.errors ?? {}).map(([path, text]) => `${path}: ${text}\n`);
  const code = failure.status === 500 ? '' : `${failure.status} `;
  return `${code}${failure.message.trimEnd()}\n${lines.join('')}`;
}

/** The words 1, on, yes, true and 0, off, no, false as 1 and 0; other text as it is. */
export function perlBoolean(text: string): string {
  if (/^(1|on|yes|true)\n?$/i.test(text)) return '1';
  return /^(0|off|no|false)\n?$/i.test(text) ? '0' : text;
}
