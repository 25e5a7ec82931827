/** Where a key stands in its object for the second time, as `line:column`. The text is JSON that can be parsed. */
export function equalKeys(text: string): string[] {
  const open: Set<unknown>[] = [];
  const found: number[] = [];
  let begin: number | undefined;
  // one sign at a time: a text of some megabytes in one match is more than an expression can hold
  for (const { 0: sign, index } of text.matchAll(/\\.|["{}]/g)) {
    if (begin !== undefined && sign !== '"') continue;
    if (sign === '{') open.push(new Set());
    else if (sign === '}') open.pop();
    else if (begin === undefined) begin = index;
    else {
      if (isKey(text, index + 1)) {
        // an escape may write the same letter
        const key: unknown = JSON.parse(text.slice(begin, index + 1));
        if (open.at(-1)?.has(key) === true) found.push(begin);
        open.at(-1)?.add(key);
      }
      begin = undefined;
    }
  }
  return found.map(offset => {
    const before = text.slice(0, offset).split('\n');
    return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  });
}

function isKey(text: string, end: number): boolean {
  const colon = /\s*:/y;
  colon.lastIndex = end;
  return colon.test(text);
}
