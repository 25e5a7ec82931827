import { Token, Tokenization } from 'cdktf';

/** The keys of maps that hold a value which only Terraform knows: a key is written, or nobody can check the map. */
export function tokenKeys(document: unknown): string[] {
  if (typeof document !== 'object' || document === null || Tokenization.isResolvable(document)) return [];
  if (Array.isArray(document)) return document.flatMap(tokenKeys);
  if (Token.isUnresolved(document) && !Object.keys(document).some(isTokenText)) return [];
  return Object.entries(document).flatMap(([key, value]) => [
    ...(isTokenText(key) ? [key] : []),
    ...tokenKeys(value),
  ]);
}

// Not a map that is a token as a whole, whose key is a marker of another kind.
function isTokenText(key: string): boolean {
  return Token.isUnresolved(key) || /^-8\.\d+e\+298$/.test(key);
}
