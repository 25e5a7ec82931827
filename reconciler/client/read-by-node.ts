/** What Node itself reads, and no secret: whom it trusts, for one, and where it may keep what it compiles. */
const NAMES = [
  'HOME',
  'NODE_DISABLE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_USE_SYSTEM_CA',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'XDG_CACHE_HOME',
];

/** The part of an environment that decides how Node works. A worker has nothing else of its client's. */
export function readByNode(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(NAMES.flatMap(name => (environment[name] ? [[name, environment[name]]] : [])));
}
