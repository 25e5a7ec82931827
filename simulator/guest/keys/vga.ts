/** What `status/current` says of the display: nothing when the configuration does not name one. */
export function vgaStatus(vga: string | undefined): Record<string, unknown> {
  if (vga === undefined) return {};
  const settings = new Map(
    vga.split(',').map(part => {
      const at = part.indexOf('=');
      return at < 0 ? (['type', part] as const) : ([part.slice(0, at), part.slice(at + 1)] as const);
    }),
  );
  const spice = /^(virtio|qxl[234]?$)/.test(settings.get('type') ?? '');
  // PVE gives the key as soon as there is a vga line, null when no clipboard is set (recording 03, step 7)
  return { ...(spice && { spice: 1 }), clipboard: settings.get('clipboard') ?? null };
}
