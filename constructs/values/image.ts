import { resolve } from 'node:path';
import { sharedMap } from '../private/copies';
import { fileChecksum } from '../private/file-checksum';
import { SpecError } from './spec-error';

/** How a clone shares its disks with its source: linked shares them, full copies them. */
export type CloneKind = 'linked' | 'full';

/** How a clone is made. */
export interface CloneOptions {
  /**
   * Whether the clone shares its disks with the source or copies them.
   * @default 'linked', and 'full' when the source is no template
   */
  readonly clone?: CloneKind;
  /**
   * Clone this snapshot of the source.
   * @default - its current state
   */
  readonly snapshot?: string;
}

/** How a clone of a machine is made. */
export interface MachineCloneOptions extends CloneOptions {
  /**
   * Nodes with a replica of that machine, which is the machine `<machine>-<node>`: the one beside is cloned.
   * @default - the machine itself is cloned
   */
  readonly replicas?: readonly string[];
}

/** Where a disk image comes from, and where its file is kept. */
export interface UrlOptions {
  /** `algorithm:digits`, such as "sha256:…". The file is kept under a name that tells it, and downloaded once. */
  readonly checksum: string;
  /**
   * Where the file is kept; the storage must allow the content "import".
   * @default - one that has the file, else a shared one that allows it, else one of the node
   */
  readonly storage?: string;
}

/** What is said of a disk image on the machine where the program runs. */
export interface FileOptions extends Partial<UrlOptions> {
  /**
   * `algorithm:digits`, such as "sha256:…".
   * @default - the sha256 of the file as it is at synth
   */
  readonly checksum?: string;
}

const SOURCES = sharedMap<object, object>('sources of images');

/** The construct that makes what this image is cloned from; undefined: only an id was given, or it is another image. */
export function sourceOf(image: object): object | undefined {
  return SOURCES.get(image);
}

/** The image, which knows now what construct makes its source. */
export function withSource(image: Image, source: object): Image {
  SOURCES.set(image, source);
  return image;
}

/** What a machine is made from. */
export class Image {
  private constructor(private readonly spec: Readonly<Record<string, unknown>>) {}

  /** A template, by its name or its vmid. The same name on several nodes is one set of replicas. */
  static fromTemplate(template: string | number, options: CloneOptions = {}): Image {
    return new Image({ template: given('fromTemplate', template), ...options });
  }

  /** The template that carries this tag. */
  static fromTemplateWithTag(tag: string, options: CloneOptions = {}): Image {
    return new Image({ template: { tag: given('fromTemplateWithTag', tag) }, ...options });
  }

  /** Another machine of the same cluster: the construct, or its id. */
  static fromMachine(
    machine: string | { readonly machineId: string },
    options: MachineCloneOptions = {},
  ): Image {
    given('fromMachine', machine);
    if (typeof machine === 'string') return new Image({ machine, ...options });
    return withSource(new Image({ machine: machine.machineId, ...options }), machine);
  }

  /** An installation medium, written storage:iso/name.iso. */
  static fromIso(iso: string): Image {
    return new Image({ iso: given('fromIso', iso) });
  }

  /**
   * A disk image behind an address (.qcow2, .raw, .vmdk, or .img, which is taken as qcow2), with the checksum that its
   * publisher states. The disk `root` is made of it.
   */
  static fromUrl(url: string, options: UrlOptions): Image {
    return new Image({ url: given('fromUrl', url), ...options });
  }

  /**
   * A disk image (.qcow2, .raw, .vmdk, or .img, which is taken as qcow2) on the machine where the program runs. It is
   * uploaded where the reconciler runs, so that Terraform must run on the same machine. The disk `root` is made of it.
   */
  static fromFile(path: string, options: FileOptions = {}): Image {
    given('fromFile', path);
    const { checksum = fileChecksum(path), ...more } = options;
    return new Image({ file: resolve(path), checksum, ...more });
  }

  /** Nothing: empty disks. */
  static blank(): Image {
    return new Image({ blank: true });
  }

  toJSON(): Readonly<Record<string, unknown>> {
    return this.spec;
  }
}

/** A program without types, or a variable of the environment that is asserted to be set, may give nothing. */
function given<T>(maker: string, value: T): T {
  if (value !== undefined && value !== null) return value;
  throw new SpecError(
    `Image.${maker}`,
    `its argument is ${value}, so it names no image; allowed: a value. Is an environment variable not set that it is read from?`,
  );
}
