import type { IResolvable } from 'cdktf';

/** Processors. The guest sees `cores` × `sockets` of them. */
export interface CpuProps {
  /**
   * Cores of each socket, 1 to 128: `cores: 4, sockets: 2` gives the guest 8 processors.
   * @default - not managed
   */
  readonly cores?: number;
  /**
   * Sockets, 1 to 4.
   * @default - not managed
   */
  readonly sockets?: number;
  /**
   * Threads of a core, 1 or 2. Proxmox has no such key: it is only checked that cores can be divided by it.
   * @default - not managed
   */
  readonly threadsPerCore?: number;
  /**
   * CPU model, such as "host" or "x86-64-v2-AES".
   * @default - not managed
   */
  readonly type?: string;
  /**
   * CPU flags with their sign, such as "+aes".
   * @default - not managed
   */
  readonly flags?: readonly string[];
  /**
   * At most so many CPUs worth of time, 0 to 128; 0 is no limit.
   * @default - not managed
   */
  readonly limit?: number;
  /**
   * Weight against other guests, 1 to 10000.
   * @default - not managed
   */
  readonly units?: number;
  /**
   * NUMA. Changing memory while the guest runs needs it.
   * @default - not managed
   */
  readonly numa?: boolean | IResolvable;
  /**
   * CPUs plugged in at start, 1 to 512.
   * @default - not managed
   */
  readonly vcpus?: number;
  /**
   * CPUs of the node that the guest may use, such as "0-3,8". Only root@pam may set it.
   * @default - not managed
   */
  readonly affinity?: string;
  /**
   * Hide KVM from the guest.
   * @default - not managed
   */
  readonly hidden?: boolean | IResolvable;
  /**
   * Hyper-V vendor id, 1 to 12 letters and digits.
   * @default - not managed
   */
  readonly hvVendorId?: string;
  /**
   * Physical address bits, 8 to 64.
   * @default - not managed
   */
  readonly physBits?: number | 'host';
  /**
   * Physical address bits that the guest sees, 32 to 64.
   * @default - not managed
   */
  readonly guestPhysBits?: number;
  /**
   * Highest CPUID level.
   * @default - not managed
   */
  readonly level?: number;
}
