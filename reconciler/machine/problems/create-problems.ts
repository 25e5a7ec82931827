import { propertiesOf } from '../../guest/configuration';
import { imageForm, imageOfTemplate } from '../../mark/image-words';
import { imageChange } from '../../mark/image-change';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import type { WantValue } from '../want';

/** What was decided at its creation and cannot change on the guest: its image, its number, its EFI variables and TPM. */
export function createProblems(scene: Scene): Problem[] {
  return [...identity(scene), ...stateVolumes(scene)];
}

function identity({ spec, mark, vmid }: Scene): Problem[] {
  const { from, to } = (spec.onImageChange === 'keep' ? undefined : imageChange(spec, mark)) ?? {};
  return [
    ...differs('vmid', vmid, spec.vmid),
    ...differs('image', from, to).map(problem => ({
      ...problem,
      remedy: `${backTo(from ?? '', to ?? '') ?? problem.remedy} Or let the machine stay on it, for new ones to take the other: onImageChange: "keep".`,
    })),
  ];
}

/** How a machine keeps the image that it was made from, where those words of it stand in no document. */
function backTo(was: string, wanted: string): string | undefined {
  const [kind, former = ''] = [was.split(' ', 1)[0], was.slice(was.indexOf(' ') + 1)];
  const image = imageOfTemplate(former);
  if (
    kind === 'machine' &&
    image !== undefined &&
    imageOfTemplate(wanted.replace('machine ', '')) === image
  ) {
    const digits = former.slice(image.length + 1, image.length + 11);
    return `To keep it, give image "${image}" its former checksum again, which begins with "${digits}", and the new content to an image of another name, for new machines.`;
  }
  if (kind === 'url') return `To keep it, set image.checksum back to "${former}".`;
  const form = imageForm(was);
  return form === undefined ? undefined : `Set image back to ${form}.`;
}

function stateVolumes({ spec, next }: Scene): Problem[] {
  const efi = propertiesOf('efidisk0', next.efidisk0);
  const tpm = propertiesOf('tpmstate0', next.tpmstate0);
  const { efiDisk, secureBoot } = next.efidisk0 === undefined ? {} : spec;
  const version = next.tpmstate0 === undefined ? undefined : spec.tpm?.version;
  return [
    ...differs('efiDisk.type', efi.efitype ?? '2m', efiDisk?.type),
    ...differs('efiDisk.microsoftCertificates', efi['ms-cert'] ?? '2011', efiDisk?.microsoftCertificates),
    ...differs('secureBoot', efi['pre-enrolled-keys'] === true, secureBoot),
    ...differs('tpm.version', tpm.version ?? 'v1.2', version),
  ];
}

const ENROLLED = 'What is enrolled in an EFI disk';
/** What each field says, and the word for it in rebuildOn. `bare`: its values stand in no quotes. */
const FIELDS = {
  vmid: { what: 'The number of a guest', rebuild: 'vmid', bare: true },
  image: { what: 'What a machine is made from', rebuild: 'image', bare: false },
  'efiDisk.type': { what: 'The kind of an EFI disk', rebuild: 'efiDisk', bare: false },
  'efiDisk.microsoftCertificates': { what: ENROLLED, rebuild: 'efiDisk', bare: false },
  secureBoot: { what: ENROLLED, rebuild: 'secureBoot', bare: true },
  'tpm.version': { what: "A TPM's version", rebuild: 'tpm', bare: false },
} as const;

function differs(
  field: keyof typeof FIELDS,
  is: WantValue | undefined,
  wanted: WantValue | undefined,
): Problem[] {
  if (is === undefined || wanted === undefined || String(is) === String(wanted)) return [];
  const [from, to] = [String(is), String(wanted)];
  const { what, rebuild, bare } = FIELDS[field];
  const detail = `${what} cannot change: it is ${from}, and ${to} is wanted.`;
  const remedy = `Set ${field} back to ${bare ? from : JSON.stringify(from)}.`;
  return [{ field, from, to, why: 'rebuild', detail, remedy, rebuild }];
}
