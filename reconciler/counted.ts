/** So many of something, in words: the form for 1, or the one for any other number. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
