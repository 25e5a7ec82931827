import type { Config } from '../../world';

/** By name; `enabled` is the value that may stand without one. */
function agentSettings(config: Config): Record<string, string> {
  const parts = (config['agent'] ?? '').split(',').filter(part => part !== '');
  return Object.fromEntries(
    parts.map(part => {
      const at = part.indexOf('=');
      return at < 0 ? ['enabled', part] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

/** Whether file systems are to be frozen for copies. PVE: Agent.pm, three names of one option. */
export function freezesForCopies(config: Config): boolean {
  const settings = agentSettings(config);
  const names = ['freeze-fs', 'freeze-fs-on-backup', 'guest-fsfreeze'];
  return !names.some(name => /^(0|off|no|false)$/i.test(settings[name] ?? ''));
}

/** Whether the configuration asks for the guest agent. */
export function agentEnabled(config: Config): boolean {
  return /^(1|on|yes|true)$/i.test(agentSettings(config)['enabled'] ?? '');
}
