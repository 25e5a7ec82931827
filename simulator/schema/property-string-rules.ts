import { CPU_FLAGS, CPU_MODELS } from './formats/cpu-models';

type Rule = (values: Record<string, string>) => string | undefined;

/** What a named property string must also obey as a whole: what is wrong, or undefined. */
export const PROPERTY_STRING_RULES: Record<string, Rule> = {
  'pve-vm-cpu-conf': wrongCpu,
  'prune-backups': wrongPruning,
};

const FLAG_LIST = new RegExp(`^[+-](${CPU_FLAGS.join('|')})(;[+-](${CPU_FLAGS.join('|')}))*$`);

function wrongCpu(values: Record<string, string>): string | undefined {
  const { cputype, flags, 'reported-model': reported } = values;
  if (cputype === undefined || cputype === '0') return 'CPU is missing cputype';
  if (cputype.startsWith('custom-')) {
    // assumed: nobody has defined custom models here
    return `Custom cputype '${cputype.slice('custom-'.length)}' not found`;
  }
  if (!CPU_MODELS.has(cputype))
    return `Built-in cputype '${cputype}' is not defined (missing 'custom-' prefix?)`;
  if (flags !== undefined && !FLAG_LIST.test(flags)) {
    return `VM-specific CPU flags must be a subset of: ${CPU_FLAGS.join(', ')}`;
  }
  if (reported === undefined) return undefined;
  return "Property 'reported-model' not allowed in VM-specific CPU config.";
}

function wrongPruning(values: Record<string, string>): string | undefined {
  const others = Object.keys(values).filter(key => key !== 'keep-all');
  if (values['keep-all'] !== '1' || others.length === 0) return undefined;
  return 'keep-all cannot be set together with other options.';
}
