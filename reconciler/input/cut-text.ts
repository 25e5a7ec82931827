/**
 * Whether a text of YAML is empty, or does not end with a line break. Whoever writes it was cut short, perhaps: the
 * beginning of YAML is good YAML, with fewer machines. A part of JSON is none.
 */
export function mayBeCut(text: string): boolean {
  return !/^\s*[{[]/.test(text) && !text.endsWith('\n');
}
