/**
 * The part of markdown-it that we use.
 * @typedef {{ type: string, tag: string, content: string, attrSet: (name: string, value: string) => void }} Token
 * @typedef {{ core: { ruler: { push: (name: string, rule: (state: { tokens: Token[] }) => void) => void } } }} Markdown
 */
export {};
