import type { Config, Guest } from '../../world';

/** The configuration file of a guest as Proxmox writes it: what the digest is taken of. */
export function confText(guest: Guest): string {
  const pending: Config = { ...guest.pending };
  const deletions = Object.keys(guest.pendingDelete).sort();
  if (deletions.length > 0) {
    pending['delete'] = deletions.map(key => (guest.pendingDelete[key] ? `!${key}` : key)).join(',');
  }
  const sections = [section(guest.config)];
  if (Object.keys(pending).length > 0) sections.push(`\n[PENDING]\n${section(pending)}`);
  if (guest.cloudInitChanges !== undefined) {
    sections.push(`\n[special:cloudinit]\n${section(guest.cloudInitChanges)}`);
  }
  for (const name of Object.keys(guest.snapshots).sort()) {
    const { config, ...state } = guest.snapshots[name] ?? { config: {}, snaptime: 0, description: '' };
    const text = { ...config, ...textOf(state) };
    sections.push(`\n[${name}]\n${section(text)}`);
  }
  return sections.join('');
}

function textOf(values: Record<string, string | number | undefined>): Config {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );
}

/** One section of the file: the description as a comment, then a line for each key. */
export function section(values: Config): string {
  const { description = '', ...others } = values;
  const comment = description === '' ? [] : description.split('\n').map(line => `#${line}`);
  const lines = Object.keys(others)
    .sort()
    .map(key => `${key}: ${others[key]}`);
  return [...comment, ...lines].map(line => `${line}\n`).join('');
}
