import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { State } from '@tamis/scheduler-state/state/state.js';

/** Dependencies of watchers, which follow the state and act at due times. */
export interface WatcherOptions {
  readonly state: State;
  readonly clock: Clock;
  /** Logs an error. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
}
