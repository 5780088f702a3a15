import { s, type Row } from './shape.js';

/** A name space for jobs and what belongs to them. */
export const namespaceShape = s.struct({
  Name: s.string,
  Description: s.string,
  Quota: s.string,
  Capabilities: s.any,
  NodePoolConfiguration: s.any,
  VaultConfiguration: s.any,
  ConsulConfiguration: s.any,
  Meta: s.map(s.string),
  Hash: s.bytes,
  CreateIndex: s.uint,
  ModifyIndex: s.uint,
});

export type Namespace = Row<typeof namespaceShape>;

/** Names are letters, digits and dashes: a key `<namespace>.<id>` can then be read in one way only. */
export const namespaceName = /^[A-Za-z0-9-]{1,128}$/;

export const defaultNamespace = 'default';
