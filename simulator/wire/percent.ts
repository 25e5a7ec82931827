/** Decodes %XX in a string of bytes (latin1), and all of it as UTF-8; what is no valid escape stays. Never fails. */
export function unescapePercent(text: string): string {
  if (!text.includes('%')) return decodeUtf8(text);
  const bytes = text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
  return decodeUtf8(bytes);
}

/** Reads a string of bytes (latin1) as UTF-8. */
function decodeUtf8(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}
