import { ADMIN_FORMATS } from './admin';
import { FIREWALL_FORMATS } from './firewall';
import { GUEST_FORMATS } from './guest';
import { JOB_FORMATS } from './jobs';
import type { CodeFormat } from './network';
import { NETWORK_FORMATS } from './network';

/** The formats that are code in Proxmox: what is wrong with a value, or undefined. */
export const CODE_FORMATS: Record<string, CodeFormat> = {
  ...NETWORK_FORMATS,
  ...GUEST_FORMATS,
  ...ADMIN_FORMATS,
  ...FIREWALL_FORMATS,
  ...JOB_FORMATS,
};
