import { ADMIN_FORMATS } from './admin-formats';
import { GUEST_FORMATS } from './guest-formats';
import type { CodeFormat } from './network-formats';
import { NETWORK_FORMATS } from './network-formats';

/** The formats that are code in Proxmox: what is wrong with a value, or undefined. */
export const CODE_FORMATS: Record<string, CodeFormat> = {
  ...NETWORK_FORMATS,
  ...GUEST_FORMATS,
  ...ADMIN_FORMATS,
};
