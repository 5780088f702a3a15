import { SecretsError } from '../base/errors.js';
import type { Clock } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import { TamperedEntryError } from '../seal/encrypted-storage.js';
import type { OpenSeal } from '../seal/seal.js';
import type { Services } from './services.js';
import type { Sessions } from './sessions.js';
import type { StoreElection } from '../storage/driver.js';
import type { Storage } from '../storage/storage.js';

/** The server that must handle a request: this one, or the active server at an address. */
export type Whereabouts =
  { readonly location: 'here' } | { readonly location: 'there'; readonly address: string };

/** The role of an unsealed server that shares its store. It has services only while it is active. */
export type Standing = ReturnType<typeof createStanding>;

export interface StandingOptions {
  readonly election: StoreElection;
  readonly sessions: Sessions;
  readonly clock: Pick<Clock, 'after'>;
  readonly logger: Logger;
  /** Returns the store for writes that are valid only in the given leader term. */
  readonly bind: (leaderTerm: number) => Storage;
  readonly openServices: (opened: OpenSeal) => Promise<Services>;
}

/** The entry that is rewritten with the data keys. The root key may have changed then too. */
const keysPath = 'core/data-keys';
/** Timeout for a request that waits for an active server, in ms. */
const timeoutMs = 5_000;
/** Delay before the services are opened again after a failure, in ms. */
const retryDelay = 250;
/** Time in which others can become active after a step-down, in ms. */
const stepDownTime = 10_000;

export function createStanding(options: StandingOptions) {
  const { election, sessions, clock, logger } = options;
  const listeners = new Set<() => void>();
  let openSeal: OpenSeal | null = null;
  /** The leader term whose services are open; null for none. */
  let started: number | null = null;
  let isLooking = false;
  let isDue = false;
  /** Whether this server has stepped down and does not campaign, so that another one becomes active. */
  let isResting = false;
  let mayStand = true;
  let cancelReturn = (): void => undefined;
  let cancelRetry = (): void => undefined;

  async function look(): Promise<void> {
    isDue = true;
    if (isLooking) return;
    isLooking = true;
    while (isDue) {
      isDue = false;
      await step();
    }
    isLooking = false;
    for (const listener of [...listeners]) listener();
  }

  async function step(): Promise<void> {
    const active = election.current();
    if (isResting && active.location === 'there') standAgain();
    const leaderTerm = active.location === 'here' && openSeal !== null ? active.leaderTerm : null;
    if (leaderTerm === started) return;
    if (started !== null) {
      started = null;
      sessions.end();
      logger.warn({}, 'this server is no longer active');
    }
    if (leaderTerm === null || openSeal === null) return;
    try {
      const opened = await openSeal.again(options.bind(leaderTerm));
      await sessions.begin(opened, () => options.openServices(opened));
      started = leaderTerm;
      logger.warn({}, 'this server is the active one');
      isDue = true;
    } catch (error) {
      fail(error);
    }
  }

  /**
   * Campaigns again. Also called at once when another server becomes active: if that one steps down too, this one must be
   * available.
   */
  function standAgain(): void {
    isResting = false;
    cancelReturn();
    stand();
  }

  function stand(): void {
    if (openSeal !== null && mayStand) election.stand();
  }

  /** Seals this server if its keys no longer open the store. After any other error it retries. */
  function fail(error: unknown): void {
    if (error instanceof TamperedEntryError) {
      logger.error({}, 'the unseal key was replaced: this server is sealed until it is given the new one');
      seal();
      return;
    }
    logger.error({ err: error }, 'this server is to be active, and its services cannot be opened yet');
    cancelRetry();
    cancelRetry = clock.after(retryDelay, () => void look());
  }

  /** Adopts a root key that this server itself has replaced. Seals this server if another server has replaced the key. */
  async function renew(): Promise<void> {
    const before = openSeal;
    if (before === null) return;
    try {
      const renewed = await (sessions.current()?.seal ?? before).again();
      if (openSeal !== before) return renewed.forget();
      before.forget();
      openSeal = renewed;
    } catch (error) {
      if (openSeal === before && error instanceof TamperedEntryError) fail(error);
    }
  }

  /** Erases the keys, so that another server becomes active. */
  function seal(): void {
    openSeal?.forget();
    openSeal = null;
    isResting = false;
    cancelReturn();
    evictOldest();
    void look();
  }

  function evictOldest(): void {
    void withdraw().catch((error: unknown) =>
      logger.error({ err: error }, 'this server could not step down'),
    );
  }

  async function withdraw(): Promise<void> {
    try {
      await election.withdraw();
    } catch (error) {
      throw new SecretsError(
        'storage-failed',
        'no other server could be elected: this server stays active',
        error instanceof Error ? error.message : String(error),
      );
    }
  }

  function whereabouts(): Whereabouts | null {
    if (openSeal === null) return { location: 'here' };
    const active = election.current();
    if (active.location === 'there') return active;
    const isHere = active.location === 'here' && active.leaderTerm === started && sessions.current() !== null;
    return isHere ? { location: 'here' } : null;
  }

  const unsubscribe = [election.subscribe(() => void look()), election.watch(keysPath, () => void renew())];
  return {
    isUnsealed: (): boolean => openSeal !== null,
    /** Whether this server is the active one, with its services open. */
    isActive: (): boolean => openSeal !== null && whereabouts()?.location === 'here',
    /** Whether this server is a standby that handles self-lookups of batch tokens itself. */
    isPerformanceStandby: (): boolean =>
      election.isPerformanceStandby && mayStand && openSeal !== null && whereabouts()?.location !== 'here',
    /** Returns the key that all unsealed servers share; null while this server is sealed. */
    peerKey: (): Buffer | null => openSeal?.peerKey ?? null,
    /** Returns the store as this server can read it; null while it is sealed. */
    opened: (): OpenSeal | null => openSeal,
    /** Sets whether this server may campaign. If it may not, it lets another server become active. */
    allow(isAllowed: boolean): void {
      mayStand = isAllowed;
      if (!mayStand) evictOldest();
      else if (!isResting) stand();
    },
    /** Stores the keys and campaigns to become active. */
    begin(opened: OpenSeal): void {
      if (openSeal !== null) return opened.forget();
      openSeal = opened;
      stand();
      void look();
    },
    seal,
    /** Lets another server become active. Campaigns again after a while. */
    stepDown: async (): Promise<void> => {
      await withdraw();
      cancelReturn();
      isResting = true;
      cancelReturn = clock.after(stepDownTime, standAgain);
    },
    /**
     * Returns where a request must be handled. If no server is active, waits for a limited time. A sealed server responds itself.
     * @throws SecretsError `standby`
     */
    whereabouts(signal: AbortSignal): Promise<Whereabouts> {
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          cancel();
          listeners.delete(refresh);
          unheard();
          signal.removeEventListener('abort', leave);
        };
        const leave = (): void => {
          settle();
          reject(
            new SecretsError('standby', 'there is no active server: nothing has changed, try again later'),
          );
        };
        const refresh = (): void => {
          try {
            const found = whereabouts();
            if (found === null) return;
            settle();
            resolve(found);
          } catch (error) {
            settle();
            reject(error as Error);
          }
        };
        const cancel = clock.after(timeoutMs, leave);
        const unheard = election.subscribe(refresh);
        listeners.add(refresh);
        signal.addEventListener('abort', leave);
        refresh();
      });
    },
    async close(): Promise<void> {
      for (const stop of unsubscribe) stop();
      cancelReturn();
      cancelRetry();
      openSeal?.forget();
      openSeal = null;
      await election.withdraw().catch(() => undefined);
    },
  };
}
