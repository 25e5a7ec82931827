import type { MachineSpec } from '../../spec';
import { imageWords } from './image-words';
import type { Mark } from './mark';

/** The image that a machine was made from, and the one that its spec names now. */
export interface ImageChange {
  from: string;
  to: string;
}

/** How the image of a machine has changed since it was made. Undefined: not, or its mark does not remember one. */
export function imageChange(
  { image }: Pick<MachineSpec, 'image'>,
  mark: Pick<Mark, 'image'> | undefined,
): ImageChange | undefined {
  const to = imageWords(image);
  return mark?.image === undefined || to === undefined || mark.image === to
    ? undefined
    : { from: mark.image, to };
}

/** What is said of a machine that stays on a former image, and how it takes the new one. Undefined: it is on its image. */
export function keptImage(
  spec: Pick<MachineSpec, 'image' | 'onImageChange'>,
  mark: Pick<Mark, 'image'> | undefined,
): string | undefined {
  const change = spec.onImageChange === 'keep' ? imageChange(spec, mark) : undefined;
  if (change === undefined) return undefined;
  const { from, to } = change;
  return `stays on ${from}, which it was made from; image is ${to} now (onImageChange: "keep"). To make it anew from that, with its disks: give it onImageChange: "rebuild" and apply, then "keep" again.`;
}
