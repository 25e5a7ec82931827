/** Who may do what. */
export interface Access {
  realms: Record<string, { type: string; default?: boolean; comment?: string }>;
  users: Record<string, User>;
  groups: Record<string, { users: string[]; comment?: string }>;
  roles: Record<string, string[]>;
  acl: AclEntry[];
}

export interface User {
  enable: boolean;
  password?: string;
  expire?: number;
  comment?: string;
  email?: string;
  firstname?: string;
  lastname?: string;
  keys?: string;
  tokens: Record<string, Token>;
}

export interface Token {
  value: string;
  privsep: boolean;
  expire?: number;
  comment?: string;
}

export interface AclEntry {
  path: string;
  type: 'user' | 'group' | 'token';
  ugid: string;
  roleid: string;
  propagate: boolean;
}
