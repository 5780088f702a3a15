import type { ListedRows as Rows } from 'tamis/query';
import type { RowChange } from '../state/change-feed.js';
import type { Snapshot } from '../state/snapshot.js';

/** The rows of a list of this server: those of a table, and what they show of other tables. */
export type ListedRows<T> = Rows<T, RowChange, Snapshot>;
