import { randomUUID } from 'node:crypto';
import type { RowSources } from '@tamis/scheduler-state/state/transaction.js';

/** Of a frozen clock. */
export const stillSources: RowSources = { stamp: () => 0n, uuid: randomUUID };
