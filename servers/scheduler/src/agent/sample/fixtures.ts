import { defaultNamespace, defaultNamespaceDescription } from '@tamis/scheduler-model/namespace.js';

/** Names that several parts of the sample share. */
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

/** The day the sample was taken, in milliseconds: 2026-06-01T08:00:00Z. Nothing in it is younger. */
export const sampleTime = Date.UTC(2026, 5, 1, 8);

/** A nanosecond stamp some time before the sample was taken. Beyond the safe integers, hence a bigint. */
export function stampBefore(milliseconds: number, nanoseconds: number): bigint {
  return BigInt(sampleTime - milliseconds) * 1_000_000n + BigInt(nanoseconds);
}

/** The same as an RFC 3339 string with nanoseconds. */
export function timeBefore(milliseconds: number, nanoseconds: number): string {
  const [seconds = ''] = new Date(sampleTime - milliseconds).toISOString().split('.');
  return `${seconds}.${String(nanoseconds).padStart(9, '0')}Z`;
}
