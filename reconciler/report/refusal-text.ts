import { oneLine } from './visible';

/** A refusal for people. Its remedy may be lines to copy; what it says of others stands in one. */
export function refusalText({ detail, remedy }: { detail: string; remedy: string }): string {
  return `${oneLine(detail)} ${remedy}`;
}
