import type { Operator } from '../../src/routes/operator-routes.js';

/** An operator's side of a server that does nothing. */
export const idleOperator: Operator = {
  seal: () => undefined,
  stepDown: async () => undefined,
  keys: {
    status: () => ({ term: 1, installedAt: null }),
    rotate: async () => undefined,
    rekeyNonce: () => 'nonce',
    isRekeying: async () => false,
    verifies: async () => false,
    makeNextKey: async () => Buffer.alloc(32),
    confirmNextKey: async () => undefined,
    dropNextKey: async () => undefined,
  },
  backup: async function* () {},
  metrics: async () => ({ type: 'text/plain', text: '' }),
  auditFile: null,
};
