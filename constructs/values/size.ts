import { Token } from 'cdktf';
import { formatSize, GiB, MiB, parseSize } from '../../spec';

/** An amount of memory or storage. Every suffix is a power of 1024, as Proxmox takes it. */
export class Size {
  private constructor(readonly bytes: number) {}

  /** So many MiB. */
  static mebibytes(amount: number): Size {
    return Size.parse(known(amount) * MiB);
  }

  /** So many GiB. */
  static gibibytes(amount: number): Size {
    return Size.parse(known(amount) * GiB);
  }

  /** So many TiB. */
  static tebibytes(amount: number): Size {
    return Size.parse(known(amount) * 1024 * GiB);
  }

  /** Reads "512Mi", "4Gi", "20G", "1T", or a number of bytes. Throws for anything else. */
  static parse(given: string | number): Size {
    const bytes = parseSize(known(given));
    if (bytes === undefined) {
      throw new RangeError(
        `${JSON.stringify(given)} is no size: write a whole number of bytes, or text such as "512Mi", "4Gi" or "20G".`,
      );
    }
    return new Size(bytes);
  }

  toString(): string {
    return formatSize(this.bytes);
  }

  toJSON(): number {
    return this.bytes;
  }
}

function known<T extends string | number>(given: T): T {
  if (!Token.isUnresolved(given)) return given;
  throw new RangeError(
    'Only Terraform knows this size, so it cannot be read here. Pass the value itself: memory: variable.stringValue, or `${variable.stringValue}Gi` where it is a number of GiB.',
  );
}
