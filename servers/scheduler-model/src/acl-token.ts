import { t } from 'tamis';
import { defineResource } from './resource.js';
import { interned, base64, instant, type Row } from './row-type.js';

/** An ACL token. Management tokens have all rights; client tokens have the rights of their policies. */
const aclTokenShape = t.struct({
  /** The public name of the token. */
  AccessorID: t.string,
  /** The secret that a request carries. It grants the permissions of the token. */
  SecretID: t.hidden(t.string),
  /** Hash of the secret, used to find the token. Prevents look-ups that compare parts of a secret. */
  SecretHash: t.hidden(t.string),
  Name: t.string,
  Type: interned,
  Policies: t.list(interned),
  Roles: t.any,
  Global: t.bool,
  Hash: base64,
  CreateTime: instant,
  ExpirationTime: instant,
  /** A duration such as `1h0m0s`; empty if the token never expires or its expiration was given as a time. */
  ExpirationTTL: t.hidden(t.string),
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
});

export type AclToken = Row<typeof aclTokenShape>;

export const managementType = 'management';
export const clientType = 'client';

/** A validated request to create or change a token. */
export interface AclTokenSpec {
  readonly name: string;
  readonly type: typeof managementType | typeof clientType;
  readonly policies: readonly string[];
  readonly global: boolean;
  /** RFC 3339; null for a token that never expires. */
  readonly expirationTime: string | null;
  /** The duration that the client gave; empty if it gave none. */
  readonly expirationTtl: string;
}

/** Maximum length of a token's name, in UTF-16 units. */
export const maxTokenNameLength = 256;

/** Whether a token has expired. `now` is in ms since 1970. */
export function isExpired({ ExpirationTime }: Pick<AclToken, 'ExpirationTime'>, now: number): boolean {
  return ExpirationTime !== null && Date.parse(ExpirationTime) <= now;
}

/** Returns a token as lists show it: without its secret. */
export function aclTokenStub(token: AclToken): object {
  return {
    AccessorID: token.AccessorID,
    Name: token.Name,
    Type: token.Type,
    Policies: token.Policies,
    Roles: token.Roles,
    Global: token.Global,
    Hash: token.Hash,
    CreateTime: token.CreateTime,
    ExpirationTime: token.ExpirationTime,
    CreateIndex: token.CreateIndex,
    ModifyIndex: token.ModifyIndex,
  };
}

/** Returns a token as its creator or owner sees it. */
export function publicAclToken(token: AclToken): object {
  return { ...aclTokenStub(token), SecretID: token.SecretID, ExpirationTTL: token.ExpirationTTL };
}

export const aclTokens = defineResource({
  name: 'AclToken',
  shape: aclTokenShape,
  key: ({ AccessorID }) => AccessorID,
  idField: 'AccessorID',
  listField: 'AccessorID',
  sorts: ['AccessorID', 'Name'],
  groups: { secret: ({ SecretHash }) => SecretHash },
  views: { AclToken: { project: publicAclToken }, AclTokenListStub: { project: aclTokenStub } },
});
