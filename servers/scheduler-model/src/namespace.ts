import { t } from 'tamis';
import { defineResource } from './resource.js';
import { base64, type Input, type Row } from './row-type.js';

/** A name space for jobs and what belongs to them. */
export const namespaceShape = t.struct({
  Name: t.string,
  Description: t.string,
  Quota: t.string,
  Capabilities: t.any,
  NodePoolConfiguration: t.any,
  VaultConfiguration: t.any,
  ConsulConfiguration: t.any,
  Meta: t.map(t.string),
  Hash: base64,
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
});

export type Namespace = Row<typeof namespaceShape>;
export type NamespaceInput = Input<typeof namespaceShape>;

/** Longest description, in UTF-16 units. */
export const maxDescriptionLength = 256;

/** Names are letters, digits and dashes: a key `<namespace>.<id>` can then be read in one way only. */
export const namespaceName = /^[a-zA-Z0-9-]{1,128}$/;

export const namespaces = defineResource({
  name: 'Namespace',
  shape: namespaceShape,
  key: ({ Name }) => Name,
  idField: 'Name',
  listField: 'Name',
  sorts: ['Name'],
  exported: {
    idProblem: ({ Name }) => namespaceNameProblem(Name),
  },
});

/** The mistake in the name of a namespace; null for none. */
export function namespaceNameProblem(name: string): string | null {
  if (namespaceName.test(name)) return null;
  return `expected 1 to 128 letters, digits and dashes, found ${JSON.stringify(name)}`;
}

/** The namespace that always exists. */
export const defaultNamespace = 'default';
export const defaultNamespaceDescription = 'Default shared namespace';
