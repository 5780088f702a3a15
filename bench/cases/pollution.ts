import type { RowKind } from '../data/rows.js';
import { both, either, equal, unequal, type Condition } from './condition.js';

/** A filter that only serves to warm a process up. */
export interface OtherFilter {
  readonly kind: RowKind;
  readonly condition: Condition;
}

/**
 * Forty filters that an engine has run before it is measured, as in a server that has been up for a while. Together they
 * use every operator on many fields, so that the inline caches that an engine's filters share have seen it all. In a
 * fresh process an engine that compiles to closures looks twice as fast as its users will ever see it.
 */
export const otherFilters: readonly OtherFilter[] = [
  ...onJobs([
    equal('Type', 'batch'),
    equal('Namespace', 'search'),
    equal('ID', 'web-frontend-1@default'),
    equal('Stop', true),
    equal('Periodic', false),
    equal('CreateIndex', 1700),
    unequal('Status', 'dead'),
    unequal('Priority', 55),
    unequal('Name', 'api'),
    { is: 'contains', path: ['Datacenters'], value: 'dc3' },
    { is: 'starts-with', path: ['ID'], text: 'cron-' },
    { is: 'starts-with', path: ['Namespace'], text: 'pay' },
    { is: 'holds-any-case', path: ['ID'], text: 'orders' },
    { is: 'some', path: ['TaskGroups'], field: 'Name', value: 'queue' },
    { is: 'one-of', path: ['Type'], values: ['system', 'sysbatch', 'batch'] },
    { is: 'one-of', path: ['Namespace'], values: ['data', 'staging', 'search', 'payments'] },
    both(equal('Status', 'dead'), equal('Stop', true)),
    both(equal('Type', 'service'), { is: 'contains', path: ['Datacenters'], value: 'dc2' }),
    both(
      unequal('Namespace', 'default'),
      { is: 'starts-with', path: ['Name'], text: 'db-' },
      equal('Stop', false),
    ),
    either(equal('Priority', 95), equal('Namespace', 'payments')),
    either(equal('Status', 'pending'), both(equal('Type', 'batch'), equal('Priority', 15))),
    both(either(equal('Stop', true), equal('Periodic', true)), unequal('Status', 'running')),
  ]),
  ...onNodes([
    equal('Status', 'ready'),
    equal('Datacenter', 'dc2'),
    equal('Drain', true),
    equal(['NodeResources', 'Cpu', 'TotalCpuCores'], 16),
    equal(['NodeResources', 'Memory', 'MemoryMB'], 65_536),
    equal(['Attributes', 'os.name'], 'debian'),
    equal(['Attributes', 'kernel.name'], 'linux'),
    equal(['Meta', 'zone'], 'west'),
    unequal('SchedulingEligibility', 'eligible'),
    unequal(['Attributes', 'cpu.numcores'], '8'),
    { is: 'starts-with', path: ['Name'], text: 'node-1' },
    { is: 'starts-with', path: ['Attributes', 'kernel.version'], text: '6.8' },
    { is: 'holds-any-case', path: ['Name'], text: 'rack' },
    { is: 'empty', path: ['Meta'] },
    { is: 'one-of', path: ['NodeClass'], values: ['compute', 'storage', 'gpu'] },
    both(equal('Status', 'ready'), equal('Drain', false)),
    both(equal('Datacenter', 'dc1'), equal('NodeClass', 'gpu'), equal(['Attributes', 'os.version'], '24.04')),
    either(equal('Status', 'down'), equal('SchedulingEligibility', 'ineligible')),
  ]),
];

function onJobs(conditions: readonly Condition[]): OtherFilter[] {
  return conditions.map((condition) => ({ kind: 'jobs', condition }));
}

function onNodes(conditions: readonly Condition[]): OtherFilter[] {
  return conditions.map((condition) => ({ kind: 'nodes', condition }));
}
