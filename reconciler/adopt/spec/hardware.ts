import { OS_TYPES } from '../../../spec';
import { propertiesOf, type Configuration } from '../../guest/configuration';
import { CPU } from '../../machine/parts/cpu';
import { AUDIO, DISPLAY, RNG, WATCHDOG } from '../../machine/parts/devices';
import { CHIPSET, FIRMWARE } from '../../machine/parts/firmware';
import { MEMORY } from '../../machine/parts/memory';
import { SMBIOS } from '../../machine/parts/smbios';
import { AGENT, STARTUP } from '../../machine/parts/starting';
import { SWITCHES } from '../../machine/parts/switches';
import { filled, present, saidBy, saidInside, type Json } from './said';

/** Everything of a configuration that is no disk, no card, no list of devices and no cloud-init. */
export function hardwareOf(config: Configuration): Json {
  const { name: _, ...switches } = saidBy(SWITCHES, config);
  return {
    ...filled('cpu', cpuOf(config)),
    ...memoryOf(config),
    ...firmwareOf(config),
    ...agentOf(config),
    ...filled('startup', startupOf(config)),
    ...switches,
    ...filled('display', saidBy(DISPLAY, config)),
    ...filled('rng', saidBy(RNG, config)),
    ...filled('watchdog', saidBy(WATCHDOG, config)),
    ...filled('audio', saidBy(AUDIO, config)),
    ...filled('smbios', smbiosOf(config)),
  };
}

function cpuOf(config: Configuration): Json {
  const { flags, physBits, ...said } = saidBy(CPU, config);
  return {
    ...said,
    ...(flags === undefined ? {} : { flags: String(flags).split(';').filter(Boolean) }),
    ...(physBits === undefined
      ? {}
      : { physBits: /^\d+$/.test(String(physBits)) ? Number(physBits) : physBits }),
  };
}

function memoryOf(config: Configuration): Json {
  const { balloon, ...said } = saidBy(MEMORY, config);
  return present({ ...said, balloon: Number(config.balloon) === 0 ? false : balloon });
}

function firmwareOf(config: Configuration): Json {
  const { osType, bios, hotplug, ...said } = saidBy(FIRMWARE, config);
  const chipset = saidBy(CHIPSET, config);
  const isPlain = Object.keys(chipset).length === 1 && chipset['type'] !== undefined;
  return {
    ...present({ osType: Object.entries(OS_TYPES).find(([, theirs]) => theirs === osType)?.[0] ?? osType }),
    ...(isPlain ? { machine: chipset['type'] } : filled('machine', chipset)),
    ...present({ bios: biosOf(String(bios), config) }),
    ...said,
    ...(hotplug === undefined ? {} : { hotplug: featuresOf(String(hotplug)) }),
    ...stateVolumesOf(config),
  };
}

/** UEFI without an EFI disk is left alone: said in the spec it would get one. */
function biosOf(bios: string, config: Configuration): string | undefined {
  if (bios === 'ovmf') return config.efidisk0 === undefined ? undefined : 'uefi';
  return bios === 'seabios' ? bios : undefined;
}

function featuresOf(text: string): string[] {
  if (text === '0') return [];
  return (text === '1' ? 'network,disk,usb' : text).split(',').filter(Boolean);
}

function stateVolumesOf(config: Configuration): Json {
  const storageOf = (key: string): string | undefined =>
    /^([^:/]+):/.exec(String(propertiesOf(key, config[key]).file ?? ''))?.[1];
  const efi = saidInside('efidisk0', { type: 'efitype', microsoftCertificates: 'ms-cert' }, config);
  const { secureBoot } = saidInside('efidisk0', { secureBoot: 'pre-enrolled-keys' }, config);
  const tpm = saidInside('tpmstate0', { version: 'version' }, config);
  return {
    ...filled('efiDisk', { storage: storageOf('efidisk0'), ...efi }),
    ...present({ secureBoot }),
    ...filled('tpm', { storage: storageOf('tpmstate0'), ...tpm }),
  };
}

function agentOf(config: Configuration): Json {
  const { enabled, ...said } = saidBy(AGENT, config);
  if (config.agent === undefined) return {};
  if (Object.keys(said).length === 0) return { agent: enabled === true };
  return { agent: { ...(enabled === true ? {} : { enabled: false }), ...said } };
}

function startupOf(config: Configuration): Json {
  const { order, up, down } = saidBy(STARTUP, config);
  const duration = (seconds: unknown) => (seconds === undefined ? undefined : `${String(seconds)}s`);
  return { order, up: duration(up), down: duration(down) };
}

/** What a field cannot hold, such as bytes that are no text, is left out: it stays as it is. */
function smbiosOf(config: Configuration): Json {
  const { base64, ...texts } = propertiesOf('smbios1', config.smbios1);
  const said = SMBIOS.flatMap((name): [string, string][] => {
    const text = texts[name] === undefined ? undefined : String(texts[name]);
    if (text === undefined) return [];
    if (base64 !== true) return [[name, text]];
    const decoded = Buffer.from(text, 'base64').toString('utf8');
    return Buffer.from(decoded, 'utf8').toString('base64') === text ? [[name, decoded]] : [];
  });
  return Object.fromEntries(said);
}
