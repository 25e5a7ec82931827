import { sourceIds, type ImageSpec } from '../machine/image';
import type { MachineSpec } from '../machine/machine';
import type { PreparedImage } from '../cluster/prepared-image';
import type { DesiredState } from './desired-state';

type Image = Omit<PreparedImage, 'cluster'>;

const DIGITS = 10;

/** The templates that an image is made ready as, each a machine: one, or one on each of its nodes. None where one exists. */
export function templatesOf(image: Image): MachineSpec[] {
  const { url, file, checksum, storage, diskStorage, templateName, vmid, nodes } = image;
  const source = imageOf(image);
  return sourceIds(source).map((id, index) => {
    const node = nodes?.[index];
    const name = node === undefined || templateName === undefined ? templateName : `${templateName}-${node}`;
    return {
      id,
      ...(name === undefined ? {} : { name }),
      ...(vmid === undefined ? {} : { vmid }),
      ...(node === undefined ? {} : { node, placement: { nodes: [node] } }),
      asTemplate: true,
      image: {
        ...(file === undefined ? { url } : { file }),
        checksum,
        ...(storage === undefined ? {} : { storage }),
      },
      disks: [{ name: 'root', storage: diskStorage }],
    };
  });
}

/** What a machine says that is made from an image which was made ready. The id of a template tells its content. */
export function imageOf({ name, template, checksum = '', nodes }: Image): ImageSpec {
  if (template !== undefined) return { template };
  const digits = checksum.slice(checksum.indexOf(':') + 1).toLowerCase();
  const replicas = nodes === undefined ? {} : { replicas: nodes };
  return { machine: `${name}-${digits.slice(0, DIGITS)}`, ...replicas };
}

/** The desired state with its images as machines: the templates, and what is cloned from them. */
export function withTemplates({ images = [], machines, ...state }: DesiredState): DesiredState {
  if (images.length === 0) return { ...state, machines };
  const byName = new Map(images.map(image => [image.name, image]));
  const cloned = machines.map(machine => {
    const { machine: source = '', ...said } = machine.image ?? {};
    const image = byName.get(source);
    return image === undefined ? machine : { ...machine, image: { ...said, ...imageOf(image) } };
  });
  return { ...state, machines: [...images.flatMap(templatesOf), ...cloned] };
}
