import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { State } from '@tamis/scheduler-state/state/state.js';

/** What those work with who follow the state and act on it in time. */
export interface WatcherOptions {
  readonly state: State;
  readonly clock: Clock;
  /** Called with errors, for the log. */
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void;
}
