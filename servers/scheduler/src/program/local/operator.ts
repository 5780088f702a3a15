import { existsSync } from 'node:fs';
import { checkSnapshot, connect, listMembers, saveSnapshot } from '@tamis/etcd';
import type { EtcdPlace } from '@tamis/scheduler-state/drivers/open-etcd.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import { formatReport, isHealthy, reportServers } from './operator-servers.js';
import { restoreSteps } from './operator-restore.js';

/** The queries about the servers of a region and their shared etcd. */
export type OperatorAction =
  | { readonly kind: 'servers'; readonly json: boolean }
  | { readonly kind: 'save'; readonly file: string }
  | { readonly kind: 'restore'; readonly file: string };

export interface OperatorRequest {
  readonly action: OperatorAction;
  /** Null if not given. */
  readonly etcd: EtcdPlace | null;
  readonly region: string;
  /** Secret of a token; null for none. */
  readonly token: string | null;
  readonly fetch: typeof globalThis.fetch;
}

/** The report for an operator, and whether everything is healthy. */
export interface OperatorResponse {
  readonly text: string;
  readonly isWell: boolean;
}

/** @throws CommandError, EtcdError, StorageError; errors of the file system */
export async function runOperator(request: OperatorRequest): Promise<OperatorResponse> {
  const { action, etcd, region, token, fetch } = request;
  if (etcd === null)
    throw new CommandError(
      'Which etcd? Name a member with --etcd-endpoint URL, or settings with --config FILE',
    );
  const connection = connect(etcd.connection);
  try {
    switch (action.kind) {
      case 'servers': {
        const report = await reportServers({ connection, prefix: etcd.prefix, token, fetch });
        const text = action.json ? `${JSON.stringify(report)}\n` : formatReport(region, report);
        return { text, isWell: isHealthy(report) };
      }
      case 'save': {
        if (existsSync(action.file)) throw new CommandError(`${action.file} is there already`);
        const bytes = await saveSnapshot(connection, action.file);
        return { text: `${action.file}: ${bytes} bytes\n`, isWell: true };
      }
      case 'restore': {
        await checkSnapshot(action.file);
        const members = await listMembers(connection).catch(() => null);
        return { text: restoreSteps(action.file, members), isWell: true };
      }
    }
  } finally {
    connection.close();
  }
}
