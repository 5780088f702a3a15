import { openLog, type CommitOutcome, type Log } from '../../src/index.js';
import type { Clock } from '../../src/clock.js';
import type { Transport } from '../../src/connection/transport.js';

/** A server in miniature: a copy of the rows that follows a log and can append to it. */
export interface Replica {
  readonly log: Log;
  readonly rows: Map<string, string>;
  /** The commit that it has applied last. */
  lastId(): string;
  /** The names of commits in the order of their application, with a `reset` where one came. */
  readonly notified: string[];
  append(commit: ReplicaCommit): Promise<CommitOutcome>;
  stop(): Promise<void>;
}

export interface ReplicaCommit {
  readonly id: string;
  readonly term: number;
  readonly after?: string;
  readonly rows: Readonly<Record<string, string | undefined>>;
}

export function startReplica(
  transport: Transport,
  clock: Clock,
  prefix = '/x/',
  from: string | null = null,
): Replica {
  const log = openLog({ transport, clock, prefix });
  const rows = new Map<string, string>();
  const notified: string[] = [];
  const stopping = new AbortController();
  let lastId = from ?? '';

  async function run(): Promise<void> {
    for await (const event of log.follow(from, stopping.signal)) {
      if (event.kind === 'commit') {
        for (const { key, value } of event.changes) {
          if (value === undefined) rows.delete(key);
          else rows.set(key, value.toString());
        }
        notified.push(event.head.id);
        lastId = event.head.id;
      } else if (event.kind === 'renewal') {
        notified.push(`renewal ${event.head.incarnation}`);
      } else {
        const loaded = new Map<string, string>();
        try {
          for await (const page of event.rows)
            for (const { key, value } of page) loaded.set(key, value.toString());
        } catch {
          continue;
        }
        rows.clear();
        for (const [key, value] of loaded) rows.set(key, value);
        notified.push('reset');
        lastId = event.head?.id ?? '';
      }
    }
  }

  const running = run();
  return {
    log,
    rows,
    notified,
    lastId: () => lastId,
    append: ({ id, term, after = lastId, rows: changed }) =>
      log.append({
        id,
        term,
        after,
        state: `state of ${id}`,
        changes: Object.entries(changed).map(([key, text]) => ({
          key,
          value: text === undefined ? undefined : Buffer.from(text),
        })),
      }),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
