import { defaultNamespace, defaultNamespaceDescription } from '@tamis/scheduler-model/namespace.js';

/** Names used by several parts of the sample. */
export const datacenters = ['dc1', 'dc2', 'eu-central', 'us-east'] as const;

export const namespaces = [
  [defaultNamespace, defaultNamespaceDescription],
  ['platform', 'Ingress, metrics, log shipping'],
  ['payments', 'Everything that touches money'],
  ['data', 'Pipelines and warehouses'],
  ['edge', 'Caches close to customers'],
] as const;

export const teams = [
  'checkout',
  'search',
  'identity',
  'catalog',
  'billing',
  'metrics',
  'ingest',
  'mail',
] as const;
