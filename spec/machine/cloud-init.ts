import * as z from 'zod';
import { addressOf } from '../values/addresses';
import { ALWAYS } from '../fields/defaults';
import { always, optional } from '../fields/field';
import { Reference } from '../values/reference';
import { strictObject } from '../fields/strict-object';
import { SshKey } from '../values/ssh-key';
import { StorageId } from '../values/names';
import { text, wants, wholeNumber } from '../fields/wants';

const Data = z.union(
  [z.string(), z.record(z.string(), z.json())],
  wants('text, or an object that is written as YAML'),
);

/** What makes a drive of ours. */
const dataFields = () => ({
  userData: optional(Data, 'What cloud-init does: text, or an object that becomes a cloud-config.'),
  userDataFrom: optional(Reference, 'Where user data is read from.'),
  networkData: optional(Data, 'Network configuration, in place of the one that networks make.'),
  networkDataFrom: optional(Reference, 'Where the network configuration is read from.'),
  vendorData: optional(Data, 'Vendor data.'),
  vendorDataFrom: optional(Reference, 'Where vendor data is read from.'),
  metaData: optional(Data, 'Meta data: each key of it wins over ours.'),
  metaDataFrom: optional(Reference, 'Where meta data is read from.'),
});

/** What cloud-init does at the first start. Plain fields use PVE's own drive; any data makes a drive of ours. */
export const CloudInitSpec = strictObject(() => ({
  user: optional(text(/^[a-z_][a-z0-9_.-]*\$?$/i, 'a user name'), 'User to make.'),
  passwordFrom: optional(Reference, 'Where the password is read from, when it is sent.'),
  passwordVersion: always(
    wholeNumber(1, 1_000_000_000),
    ALWAYS.cloudInit.passwordVersion,
    'Raise it to send the password again.',
  ),
  sshKeys: optional(z.array(SshKey), 'Public SSH keys.'),
  ...dataFields(),
  dns: optional(
    strictObject(() => ({
      servers: optional(z.array(addressOf()), 'Name servers.'),
      search: optional(
        z.array(text(/^[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?$/, 'a domain')),
        'Search domains.',
      ),
    })),
    'Name resolution.',
  ),
  storage: optional(
    StorageId,
    'Storage for the ISO of the data. Without it the one in use, else a shared one, else one of the node.',
  ),
  upgradePackages: optional(z.boolean(), 'Upgrade packages at the first start.'),
  waitForCompletion: always(
    z.boolean(),
    ALWAYS.cloudInit.waitForCompletion,
    'Wait until cloud-init says that it is done, whenever a run has started the machine. Needs the agent.',
  ),
}));
export type CloudInitSpec = z.infer<typeof CloudInitSpec>;

/** The data fields, each of which may also be given by reference. */
export const CLOUD_INIT_DATA = ['userData', 'networkData', 'vendorData', 'metaData'] as const;
