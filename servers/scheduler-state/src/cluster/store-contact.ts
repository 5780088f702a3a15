import type { ElectionContext } from './election-context.js';

/** The contact of a server with the store: how old its state may be. */
export interface Contact {
  /** Milliseconds for which something newer may be there than is here. */
  age(): number;
  /** Whether it has heard of it within a lease: one that has not knows nothing of who leads. */
  isThere(): boolean;
  /** Looks for what is newer, and tells of a contact that is lost or is there again. */
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
      // A read that all members agree on is the only sign that nothing newer is there; an error says that the state
      // grows older, which is what is measured.
      await log.refresh().catch(() => undefined);
      if (isThere() === wasThere) return;
      wasThere = !wasThere;
      reportContact(wasThere);
    },
  };
}
