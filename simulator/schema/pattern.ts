const compiled = new Map<string, RegExp>();

/** A pattern of the schema, anchored as Proxmox anchors it: an alternation without a group keeps only one anchor a side. */
export function schemaPattern(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  const anyCase = pattern.includes('(?^i:') ? pattern.replaceAll('a-z', 'a-zA-Z') : pattern;
  // the pattern of image references is the same without the empty separator, and not slow
  // Perl spells groups with modifiers (?^:…) and "at most n" {,n}
  const plain = anyCase.replace(/\(\?\^[a-z]*:/g, '(?:').replaceAll('{,', '{0,').replaceAll('[-]*', '[-]+');
  const regex = new RegExp(`^${plain}\\n?$`);
  compiled.set(pattern, regex);
  return regex;
}
