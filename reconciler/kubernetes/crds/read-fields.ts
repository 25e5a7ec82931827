type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string', minLength: 1 };
const reference = (what: string): Schema => ({
  description: `${what}, by name; in another namespace where one is named.`,
  type: 'object',
  properties: { name: text, namespace: text },
  required: ['name'],
});
const open = (description: string): Schema => ({
  description,
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
});
const secret = (description: string): Schema => ({
  description,
  type: 'object',
  properties: { name: text, namespace: text, key: text },
  required: ['name', 'key'],
});
/** A value that stands in a Secret and nowhere else: the server keeps no document that has it as text. */
const secretly = (description: string): Schema => ({
  description: `${description}: {secretRef: {name, key}}.`,
  type: 'object',
  properties: { secretRef: secret('The Secret that has it.') },
  required: ['secretRef'],
});
const secretOrText = (description: string): Schema => ({ description, ...anything() });
const NEVER = 'A machine stays in its cluster. Delete it, and make it anew in the other one.';

/** Fields that are read by code of their own, so that no schema of a desired state describes them. */
export const READ_FIELDS: Readonly<Record<string, Schema>> = {
  cluster: {
    ...text,
    description: 'The cluster that it is in.',
    'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: NEVER }],
  },
  providerRef: {
    ...reference('The cluster that it is in'),
    'x-kubernetes-validations': [{ rule: 'self.name == oldSelf.name', message: NEVER }],
  },
  deletionPolicy: {
    type: 'string',
    enum: ['Delete', 'Retain'],
    description:
      "What becomes of the guest when this resource is deleted. Delete, or absent: it is destroyed. Retain: it stays, without our mark, and is nobody's.",
  },
  powerState: {
    ...anything(),
    enum: ['On', 'Off', true, false],
    description:
      'Whether it runs: On or Off. kubectl reads them as true and false where they stand without quotes.',
  },
  classRef: reference('The VMClass whose sizes it has'),
  imageRef: reference('The VMImage that it is made from'),
  placementRef: reference('The VMPlacementPolicy that it follows'),
  sourceVMRef: reference('The machine or template that it is a copy of'),
  vmRef: reference('The machine of the snapshot'),
  linkedClone: { type: 'boolean', description: 'Whether the copy shares the disks of its source.' },
  type: { type: 'string', enum: ['proxmox'], description: 'Only providers of Proxmox are read here.' },
  template: {
    'x-kubernetes-int-or-string': true,
    description: 'The template that it is made from, by name or number.',
  },
  source: {
    'x-kubernetes-int-or-string': true,
    description: 'The name or the number of a template, or the address of an image.',
  },
  credentials: {
    description: 'Who asks Proxmox: username and password, or tokenID and tokenSecret.',
    type: 'object',
    properties: {
      username: secretOrText('Such as operator@pve; or {secretRef}.'),
      usernameSecretRef: secret('The Secret with the username.'),
      password: secretly('The password'),
      passwordSecretRef: secret('The Secret with the password.'),
      tokenID: secretOrText('The name of the token, or USER@REALM!NAME; or {secretRef}.'),
      tokenIDSecretRef: secret('The Secret with the name of the token.'),
      tokenSecret: secretly('The value of the token'),
      tokenSecretSecretRef: secret('The Secret with the value of the token.'),
      totpSecret: secretly('What codes of a second factor are made from'),
      totpSecretSecretRef: secret('The Secret with what codes of a second factor are made from.'),
    },
  },
  credentialSecretRef: reference('The Secret with all credentials'),
  caCertificate: { description: 'The authority of its certificate, as PEM, or {secretRef}.', ...anything() },
  caCertificateSecretRef: secret('The Secret with the authority of its certificate.'),
  clientCertificate: { description: 'A certificate of the client, as PEM, or {secretRef}.', ...anything() },
  clientCertificateSecretRef: secret('The Secret with the certificate of the client.'),
  clientKey: secretly('The key of that certificate'),
  clientKeySecretRef: secret('The Secret with the key of that certificate.'),
  cloudInit: open('What cloud-init does at the first start; passwords by secretRef.'),
  secretRef: secret('The Secret with the data.'),
  nodeSelector: { description: 'Names of nodes as a list, or labels of nodes.', ...anything() },
  env: {
    description: 'Variables of this cluster, such as PVE_ENDPOINT; secrets by valueFrom.secretKeyRef.',
    type: 'array',
    items: {
      type: 'object',
      properties: {
        name: text,
        value: { type: 'string' },
        valueFrom: open('The Secret that has the value: {secretKeyRef: {name, key}}.'),
      },
      required: ['name'],
    },
  },
};

function anything(): Schema {
  return { 'x-kubernetes-preserve-unknown-fields': true };
}
