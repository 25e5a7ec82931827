/**
 * Decodes %XX in a string of bytes (latin1), and all of it as UTF-8, unless it has other characters than bytes; what is no
 * valid escape stays. Never fails.
 */
export function unescapePercent(text: string): string {
  const bytes = text.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
  const isEncoded = /[\x80-\xff]/.test(bytes) && !/[^\0-\xff]/.test(bytes);
  return isEncoded ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}
