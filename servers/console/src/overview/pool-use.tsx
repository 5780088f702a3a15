import type { PoolUse } from '@tamis/scheduler-model/wire/pool-use.js';
import { FailureNotice } from '../app/failure-notice.js';
import { addressOf } from '../app/location.js';
import { clauseText } from '../detail/clause-text.js';
import { Meter } from '../detail/meter.js';
import { useReading } from '../live/use-reading.js';
import { counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

/** Maximum pools shown, the fullest first. */
const maxPools = 6;
/** Interval between requests in ms: each response sums up every node. */
const interval = 10_000;
/** Used share from which a pool counts as full. */
const full = 0.9;

/** Shows the usage of node pools. */
export function PoolUses() {
  const { value, failure } = useReading<readonly PoolUse[]>({
    path: '/v1/nodes/use',
    topics: ['Node', 'Allocation'],
    interval,
  });
  const pools = [...(value ?? [])].sort((a, b) => fullness(b) - fullness(a));
  return (
    <section class="card pools" aria-label="Use of node pools">
      <h2>
        <a href={addressOf(['nodes'])}>Use of node pools</a>
      </h2>
      {failure !== null && <FailureNotice failure={failure} what="the use of the nodes" right="node read" />}
      {value?.length === 0 && <p class="quiet">There are no nodes.</p>}
      {pools.slice(0, maxPools).map((pool) => (
        <Pool key={pool.NodePool} pool={pool} />
      ))}
      {pools.length > maxPools && (
        <p class="quiet">{counted(pools.length - maxPools, 'pool')} less full than these</p>
      )}
    </section>
  );
}

function Pool({ pool }: { readonly pool: PoolUse }) {
  const { NodePool, Nodes, ReadyNodes, CPU, MemoryMB } = pool;
  const name = NodePool === '' ? 'without a pool' : NodePool;
  return (
    <div class="pool">
      <h3>
        <a href={addressOf(['nodes'], { filter: clauseText(['NodePool'], NodePool) })}>
          <UntrustedText text={name} maxLength={40} />
        </a>{' '}
        <span class={ReadyNodes < Nodes ? 'bad' : 'quiet'}>
          {ReadyNodes === Nodes ? counted(Nodes, 'node') : `${ReadyNodes} of ${counted(Nodes, 'node')} ready`}
        </span>
      </h3>
      <Share name="CPU" label={`CPU of ${name}`} {...CPU} />
      <Share name="Memory" label={`Memory of ${name}`} {...MemoryMB} />
    </div>
  );
}

interface ShareProps {
  readonly name: string;
  readonly label: string;
  readonly Used: number;
  readonly Total: number;
}

function Share({ name, label, Used, Total }: ShareProps) {
  const part = partOf({ Used, Total });
  return (
    <div class="share">
      <span>{name}</span>
      <Meter label={label} parts={[{ value: Used, tone: part >= full ? 'bad' : 'use' }]} total={Total} />
      <span class="number">{Math.round(part * 100)}%</span>
    </div>
  );
}

const partOf = ({ Used, Total }: { readonly Used: number; readonly Total: number }): number =>
  Total > 0 ? Used / Total : 0;

function fullness({ CPU, MemoryMB }: PoolUse): number {
  return Math.max(partOf(CPU), partOf(MemoryMB));
}
