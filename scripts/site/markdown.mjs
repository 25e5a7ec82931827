/**
 * The part of markdown-it that we use.
 * @typedef {{ type: string, tag: string, content: string, children: Token[] | null, attrSet: (name: string, value: string) => void }} Token
 * @typedef {{ tokens: Token[], Token: new (type: string, tag: string, nesting: 1 | -1) => Token }} State
 * @typedef {{ core: { ruler: { push: (name: string, rule: (state: State) => void) => void } } }} Markdown
 */
export {};
