import { defaultSliceBudget, type Pace } from './slices.js';

/** Calls an action at once where the turn has time for it, else in a later turn, in the order they came. */
export type Admit = (action: () => void) => void;

/**
 * What is admitted at most in one turn, however short it is: a queue of thousands makes no more callbacks than these,
 * and few of them are left when the time is up.
 */
const mostInOneTurn = 128;

/**
 * A door for what is short but comes in crowds, such as the requests of thousands of connections that can all be read in
 * one turn: no more of it is begun in a turn than there is time for. What an action sets off (promises, writes to
 * sockets) counts, since each is a callback of its own, behind which the runtime does all of that.
 *
 * @param budget milliseconds of a turn, and as many for those who have waited.
 */
export function createAdmission({ now, soon }: Pace, budget = defaultSliceBudget): Admit {
  const waiting: (() => void)[] = [];
  let isTurnOpen = false;
  let end = 0;

  /** All of these callbacks are of one turn. */
  function openTurn(): void {
    isTurnOpen = true;
    soon(() => {
      end = now() + budget;
      waiting.shift()?.();
    });
    const others = Math.min(waiting.length, mostInOneTurn) - 1;
    for (let count = 0; count < others; count += 1) {
      soon(() => {
        if (now() < end) waiting.shift()?.();
      });
    }
    soon(() => {
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
