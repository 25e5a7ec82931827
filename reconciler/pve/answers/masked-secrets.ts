/** Shorter ones are no secrets, and would blot out half of what Proxmox says. */
const SHORTEST = 4;

/** What was sent to Proxmox and must never be shown, although Proxmox may repeat it in what it says. All places: plan/without-secrets. */
export class Secrets {
  private readonly known = new Set<string>();

  /** From now on this text is masked, also in the form in which a request carries it. */
  add(secret: string | undefined): void {
    if (secret === undefined || secret.length < SHORTEST) return;
    const inForm = new URLSearchParams({ '': secret }).toString().slice(1);
    [secret, inForm, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].forEach(form =>
      this.known.add(form),
    );
  }

  masked(text: string): string {
    if (this.known.size === 0) return text;
    const longestFirst = [...this.known].sort((one, other) => other.length - one.length);
    const any = longestFirst.map(form => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
    return text.replace(new RegExp(any, 'g'), '(secret)');
  }
}
