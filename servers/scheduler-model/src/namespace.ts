import { t } from 'tamis';
import { defineResource } from './resource.js';
import { base64, type Input, type Row } from './row-type.js';

/** A namespace for jobs and their objects. */
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

/** Maximum length of a description, in UTF-16 units. */
export const maxDescriptionLength = 256;

/** Valid names: letters, digits and dashes, so that a key `<namespace>.<id>` is unambiguous. */
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

/** Returns the mistake in the name of a namespace; null if it is valid. */
export function namespaceNameProblem(name: string): string | null {
  if (namespaceName.test(name)) return null;
  return `expected 1 to 128 letters, digits and dashes, found ${JSON.stringify(name)}`;
}

/** The namespace that always exists. */
export const defaultNamespace = 'default';
export const defaultNamespaceDescription = 'Default shared namespace';
