import { defaultSliceBudget, type EventLoop } from './time-slicer.js';

/** Runs an action immediately if this turn of the event loop has time left, else in a later turn, in order of arrival. */
export type ScheduleTask = (action: () => void) => void;

/**
 * Maximum number of actions in one turn. Bounds the callbacks that a queue of thousands schedules; few of them remain when the
 * time budget is used up.
 */
const maxInOneTurn = 128;

/**
 * Limits the time per turn of the event loop that short but numerous actions take, such as requests of thousands of connections
 * that become readable at once. Follow-up work of an action (promises, socket writes) counts: each action is a callback of its
 * own, after which the runtime does that work.
 *
 * @param budget milliseconds per turn for new actions, and as many again for actions that have waited.
 */
export function createTurnLimiter({ now, defer }: EventLoop, budget = defaultSliceBudget): ScheduleTask {
  const waiting: (() => void)[] = [];
  let isTurnOpen = false;
  let end = 0;

  /** True while callbacks of the same turn are running. */
  function openTurn(): void {
    isTurnOpen = true;
    defer(() => {
      end = now() + budget;
      waiting.shift()?.();
    });
    const others = Math.min(waiting.length, maxInOneTurn) - 1;
    for (let count = 0; count < others; count += 1) {
      defer(() => {
        if (now() < end) waiting.shift()?.();
      });
    }
    defer(() => {
      isTurnOpen = false;
      if (waiting.length > 0) openTurn();
    });
  }

  return (action) => {
    if (!isTurnOpen) {
      end = now() + budget;
      openTurn();
    }
    if (waiting.length > 0 || now() >= end) waiting.push(action);
    else action();
  };
}
