import { propertiesOf } from '../../guest/configuration';
import { imageForm, imageOfTemplate, imageWords } from '../../mark/image-words';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** What was decided at its creation and cannot change on the guest: its image, its number, its EFI variables and TPM. */
export function createProblems(scene: Scene): Problem[] {
  return [...identity(scene), ...stateVolumes(scene)];
}

function identity({ spec, mark, vmid }: Scene): Problem[] {
  const image = imageWords(spec.image);
  return [
    ...(spec.vmid === undefined
      ? []
      : differs('vmid', 'vmid', String(vmid), String(spec.vmid), 'The number of a guest')),
    ...(image === undefined
      ? []
      : differs('image', 'image', mark?.i, image, 'What a machine is made from').map(problem => ({
          ...problem,
          remedy: backTo(mark?.i ?? '', image) ?? problem.remedy,
        }))),
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

function stateVolumes({ spec, config }: Scene): Problem[] {
  const efi = propertiesOf('efidisk0', config.efidisk0);
  const tpm = propertiesOf('tpmstate0', config.tpmstate0);
  const hasEfi = config.efidisk0 !== undefined;
  const { efiDisk, secureBoot } = spec;
  const wanted = (value: string | undefined): string | undefined => (hasEfi ? value : undefined);
  return [
    ...differs(
      'efiDisk.type',
      'efiDisk',
      String(efi.efitype ?? '2m'),
      wanted(efiDisk?.type),
      'The kind of an EFI disk',
    ),
    ...differs(
      'efiDisk.microsoftCertificates',
      'efiDisk',
      String(efi['ms-cert'] ?? '2011'),
      wanted(efiDisk?.microsoftCertificates),
      'What is enrolled in an EFI disk',
    ),
    ...differs(
      'secureBoot',
      'secureBoot',
      String(efi['pre-enrolled-keys'] === true),
      wanted(secureBoot === undefined ? undefined : String(secureBoot)),
      'What is enrolled in an EFI disk',
    ),
    ...differs(
      'tpm.version',
      'tpm',
      String(tpm.version ?? 'v1.2'),
      config.tpmstate0 === undefined ? undefined : spec.tpm?.version,
      "A TPM's version",
    ),
  ];
}

/** The fields whose values stand in no quotes. */
const BARE = ['vmid', 'secureBoot'];

function differs(
  field: string,
  rebuild: NonNullable<Problem['rebuild']>,
  from: string | undefined,
  to: string | undefined,
  what: string,
): Problem[] {
  if (from === undefined || to === undefined || from === to) return [];
  const detail = `${what} cannot change: it is ${from}, and ${to} is wanted.`;
  return [
    {
      field,
      from,
      to,
      why: 'rebuild',
      detail,
      remedy: `Set ${field} back to ${BARE.includes(field) ? from : JSON.stringify(from)}.`,
      rebuild,
    },
  ];
}
