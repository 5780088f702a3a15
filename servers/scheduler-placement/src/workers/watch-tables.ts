import type { State } from '@tamis/scheduler-state/state/state.js';
import type { TableName } from '@tamis/scheduler-state/state/tables.js';

/** Calls `look` now and after each change of one of the tables. The returned function unsubscribes. */
export function watchTables(
  { watches }: Pick<State, 'watches'>,
  tables: readonly TableName[],
  look: () => void,
): () => void {
  let isStopped = false;
  let withdraw: (() => void) | null = null;
  const again = (): void => {
    if (isStopped) return;
    withdraw = watches.watch(tables, again);
    look();
  };
  again();
  return () => {
    isStopped = true;
    withdraw?.();
  };
}
