import { sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
import type { Transport } from '../connection/transport.js';
import { EtcdError } from '../errors.js';
import { methods } from '../protocol/methods.js';
import { rangeRequest } from '../protocol/requests.js';
import { CompactionRequest } from '../protocol/messages.js';

/** Milliseconds between two compactions. */
const interval = 5 * 60_000;
/** Milliseconds for which revisions are kept, so that a follower that was away goes on without a reload. */
const retention = 10 * 60_000;

export interface CompactionDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Whether it is for this process to compact: one is enough. */
  readonly isDue: () => boolean;
  readonly signal: AbortSignal;
  /** Called if a compaction fails; the next one compensates. */
  readonly onFailure: (error: EtcdError) => void;
}

/**
 * Compacts every five minutes to the revision that was the newest ten minutes before; by default etcd keeps all of them until its
 * quota is exhausted. Every process records revisions, so that a new leader can continue at once.
 */
export async function compactRegularly(dependencies: CompactionDependencies): Promise<void> {
  const { transport, clock, isDue, signal, onFailure } = dependencies;
  let noted: { readonly at: number; readonly revision: number }[] = [];
  while (!signal.aborted) {
    try {
      const at = clock.now();
      const { header } = await transport.call(methods.range, rangeRequest({ key: '\0' }));
      noted.push({ at, revision: Number(header?.revision ?? 0) });
      const old = noted.filter((note) => note.at <= at - retention).at(-1);
      if (old !== undefined) noted = noted.filter((note) => note.at >= old.at);
      if (old !== undefined && isDue()) await compactTo(transport, old.revision);
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      if (!signal.aborted) onFailure(error);
    }
    await sleep(clock, interval, signal);
  }
}

/** Removes data that exists only in revisions before this one. Not an error if already compacted. @throws EtcdError */
export async function compactTo(transport: Transport, revision: number): Promise<void> {
  try {
    await transport.call(methods.compact, CompactionRequest.fromPartial({ revision: BigInt(revision) }));
  } catch (error) {
    if (!(error instanceof EtcdError && error.code === 'compacted')) throw error;
  }
}
