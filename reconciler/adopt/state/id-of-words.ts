/** Words that say nothing of a machine where another word does. */
const SAYS_NOTHING =
  /^(?:this|main|default|root|vms?|servers?|nodes?|machines?|instances?|guests?|virtual_machines?|resource|proxmox)$/i;

/** What a machine is called by its address in another tool: `module.shop….vm["a"]` is `shop-a`. */
export function idOfWords(words: readonly string[]): string {
  const saying = words.filter(word => !SAYS_NOTHING.test(word));
  // a number alone says only which one
  const named = saying.some(word => /\D/.test(word)) ? saying : words;
  return named.join('-');
}
