import type { ClusterSpec } from '../../spec';
import type { Variables } from './cluster-variables';

/** Whether these addresses are all plain http: then no certificate is shown, and none is checked. */
export function isPlainHttp(endpoints: readonly string[]): boolean {
  return endpoints.length > 0 && endpoints.every(isPlain);
}

const isPlain = (endpoint: string): boolean => endpoint.startsWith('http:');

/** A variable that says whom to trust, the field that says the same, and what either gives. */
interface Setting {
  variable: 'FINGERPRINT' | 'CA_BUNDLE' | 'CLIENT_CERT' | 'CLIENT_KEY' | 'INSECURE_SKIP_VERIFY';
  field?: 'fingerprint' | 'caCertificate' | 'clientCertificate' | 'insecureSkipTlsVerify';
  gives: string;
}

const PIN: Setting = { variable: 'FINGERPRINT', field: 'fingerprint', gives: 'the pin' };
const OTHERS: readonly Setting[] = [
  { variable: 'CA_BUNDLE', field: 'caCertificate', gives: 'the authority' },
  { variable: 'CLIENT_CERT', field: 'clientCertificate', gives: 'the client certificate' },
  { variable: 'CLIENT_KEY', gives: "the client certificate's key" },
];
const INSECURE: Setting = {
  variable: 'INSECURE_SKIP_VERIFY',
  field: 'insecureSkipTlsVerify',
  gives: 'the switch',
};

/** Each setting that says whom to trust where no certificate is shown. A pin is for all addresses, the others for any. */
export function unusedOverHttp(
  endpoints: readonly string[],
  { cluster, variables: { nameOf, values }, isInsecure }: ClusterWithVariables,
): string[] {
  const plain = endpoints.filter(isPlain);
  const isAll = isPlainHttp(endpoints);
  const unused = [
    ...(plain.length > 0 ? [PIN] : []),
    ...(isAll ? OTHERS : []),
    ...(isAll && isInsecure ? [INSECURE] : []),
  ];
  const given = cluster.endpoints
    ? 'cluster.endpoints'
    : cluster.endpoint
      ? 'cluster.endpoint'
      : nameOf('ENDPOINT');
  const first = isAll ? given : `the address ${plain.join(', ')}`;
  return unused.flatMap(({ variable, field, gives }) => {
    const names = [
      ...(field !== undefined && cluster[field] !== undefined ? [`cluster.${field}`] : []),
      ...(values[variable] !== undefined ? [nameOf(variable)] : []),
    ];
    return names.map(
      name => `${gives} does nothing over http: begin ${first} with https://, or remove ${name}.`,
    );
  });
}

interface ClusterWithVariables {
  cluster: ClusterSpec;
  variables: Variables;
  isInsecure: boolean;
}
