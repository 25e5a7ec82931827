/** A set of texts as an expression of Terraform: what `for_each` goes over. */
export function setOf(keys: readonly string[]): string {
  return `\${toset([${keys.map(key => `"${key}"`).join(', ')}])}`;
}
