/** How to reach a cluster. Secrets live here and nowhere else; never print this. */
export interface PveConfig {
  /** Base addresses, `https://host:8006`; tried in order, the one that answered stays. */
  endpoints: string[];
  credentials: Credentials;
  tls: Tls;
  /** Requests at once. */
  maxRequests: number;
  /** How long one request may take before its outcome counts as unknown. */
  requestTimeoutMs: number;
  /** `cleanUpMs`: how long Proxmox's clean-up keeps the lock of a guest that was started again; absent: as it does. */
  poll: { floorMs: number; ceilingMs: number; cleanUpMs?: number };
}

export type Credentials =
  | { kind: 'token'; id: string; secret: string }
  | { kind: 'password'; username: string; password: string; totpSecret?: string };

export interface Tls {
  /** Accept any certificate. Every run says so aloud. */
  insecure: boolean;
  /** PEM text of the authority to trust besides the system's. */
  ca?: string;
  /** SHA-256 of the server certificate, colons or not; when it matches, nothing else is checked. */
  fingerprint?: string;
  clientCertificate?: string;
  clientKey?: string;
}
