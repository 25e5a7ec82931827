/** The paths that may carry permissions. */
const PATHS = [
  /^\/$/,
  /^\/access(\/(groups|realm)(\/[\w.-]+)?)?$/,
  /^\/(nodes|pool|storage)(\/[\w.-]+)?$/,
  /^\/pool(\/[\w.-]+){1,3}$/,
  /^\/sdn$/,
  /^\/sdn\/zones(\/[\w.-]+){0,2}$/,
  /^\/sdn\/zones\/[\w.-]+\/[\w.-]+\/[1-9]\d{0,3}$/,
  /^\/sdn\/fabrics(\/[\w.-]+)?$/,
  /^\/vms(\/[1-9]\d{2,})?$/,
  /^\/mapping(\/[\w.-]+){0,2}$/,
];

/** The path with single slashes and none at its end; undefined where it holds what no path may. */
export function normalizeAclPath(path: string): string | undefined {
  const normal = `/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
  return path !== '' && /^[\w./-]+$/.test(normal) ? normal : undefined;
}

/** Whether Proxmox takes permissions on a normal path. */
export function isAclPath(path: string): boolean {
  return PATHS.some(pattern => pattern.test(path));
}
