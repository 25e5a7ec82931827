/** Where a key stands in its object for the second time, as `line:column`. The text is JSON that can be parsed. */
export function equalKeys(text: string): string[] {
  const open: Set<unknown>[] = [];
  const found: number[] = [];
  for (const { 0: sign, 1: key, 2: colon, index } of text.matchAll(TOKENS)) {
    if (sign === '{') open.push(new Set());
    else if (sign === '}') open.pop();
    if (key === undefined || colon === undefined) continue;
    // an escape may write the same letter
    const name: unknown = JSON.parse(key);
    if (open.at(-1)?.has(name) === true) found.push(index);
    open.at(-1)?.add(name);
  }
  return found.map(offset => {
    const before = text.slice(0, offset).split('\n');
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  });
}

// texts, each with the colon that makes it a key, and what opens and closes an object
const TOKENS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g;
