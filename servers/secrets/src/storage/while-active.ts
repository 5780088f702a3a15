import type { Clock } from '../base/clock.js';
import { SecretsError } from '../base/errors.js';
import type { StoreElection } from './driver.js';

/** Timeout for an election if no server is active, in ms. */
const timeoutMs = 15_000;

/**
 * Runs a task as the active server of a shared store, and withdraws afterwards.
 *
 * @throws SecretsError `in-use` while another server is active
 */
export async function whileActive<Value>(
  election: StoreElection,
  clock: Pick<Clock, 'after'>,
  action: () => Promise<Value>,
): Promise<Value> {
  election.stand();
  try {
    await becomeActive(election, clock);
    return await action();
  } finally {
    await election.withdraw();
  }
}

function becomeActive(election: StoreElection, clock: Pick<Clock, 'after'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel();
      unsubscribe();
    };
    const look = (): void => {
      if (election.current().location !== 'here') return;
      end();
      resolve();
    };
    const cancel = clock.after(timeoutMs, () => {
      end();
      const active = election.current();
      const who =
        active.location === 'there' ? `the server at ${active.address} is active` : 'no server is elected';
      reject(new SecretsError('in-use', `this needs exclusive access to the store, but ${who}`));
    });
    const unsubscribe = election.subscribe(look);
    look();
  });
}
