import type { ElectionContext } from './election-context.js';

/** The contact of a server with the store: how old its state may be. */
export interface Contact {
  /** Milliseconds for which something newer may be there than is here. */
  age(): number;
  /** Whether it had contact within the length of a lease: without contact it does not know the leader. */
  isThere(): boolean;
  /** Checks for newer data, and reports lost and restored contact. */
  maintain(): Promise<void>;
}

export function createContact({
  contact: reportContact,
  leaseTtl,
  monotonic,
  storage: { log },
}: ElectionContext): Contact {
  const startedAt = monotonic.now();
  let wasThere = true;
  const age = (): number => monotonic.now() - Math.max(log.refreshedAt(), startedAt);
  const isThere = (): boolean => age() < leaseTtl * 1_000;
  return {
    age,
    isThere,
    async maintain() {
      // Only a linearizable read proves that there is nothing newer; an error means that the state ages, which is what is
      // measured.
      await log.refresh().catch(() => undefined);
      if (isThere() === wasThere) return;
      wasThere = !wasThere;
      reportContact(wasThere);
    },
  };
}
