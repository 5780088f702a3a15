import type { ElectionContext } from './election-context.js';

/** Contact of a server with the store. It determines how old the server's state can be. */
export function createContact({
  contact: reportContact,
  leaseTtl,
  monotonic,
  storage: { log },
}: ElectionContext) {
  const startedAt = monotonic.now();
  let wasThere = true;
  const age = (): number => monotonic.now() - Math.max(log.refreshedAt(), startedAt);
  const isThere = (): boolean => age() < leaseTtl * 1_000;
  return {
    /** Returns the maximum age of this server's state, in ms. */
    age,
    /** Whether there was contact within the length of a lease. Without contact the leader is unknown. */
    isThere,
    /** Checks for newer data, and reports lost and restored contact. */
    async maintain(): Promise<void> {
      // Only a linearizable read proves that there is no newer data. If it fails, the measured age increases.
      await log.refresh().catch(() => undefined);
      if (isThere() === wasThere) return;
      wasThere = !wasThere;
      reportContact(wasThere);
    },
  };
}
