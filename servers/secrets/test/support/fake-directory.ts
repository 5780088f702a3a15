import { randomUUID } from 'node:crypto';
import type { Call, Reply } from './fake-cloud.js';

interface Password {
  readonly keyId: string;
  readonly secret: string;
  readonly displayName: string;
  /** Token requests that still fail, while the directory replicates a new secret. */
  unknownFor: number;
}

/** The directory of the fake cloud: one application with its passwords. */
export interface FakeDirectory {
  /** The passwords that the application has now, the oldest first. */
  readonly passwords: readonly Pick<Password, 'keyId' | 'secret' | 'displayName'>[];
  /** Adds a password of another user. */
  addForeign(secret: string, displayName?: string): string;
  /** Removes a password, as an operator does. */
  remove(keyId: string): void;
  /** Lets the next new password fail this many token requests. */
  delay(requests: number): void;
  /** Hides the first characters of secrets in the directory. */
  hideHints(): void;
  accepts(clientId: string | null, secret: string | null): boolean;
  response(call: Call): Reply;
}

export const applicationObject = '77777777-7777-4777-8777-777777777777';

export function createFakeDirectory(owner: {
  readonly clientId: string;
  readonly clientSecret: string;
}): FakeDirectory {
  const passwords: Password[] = [];
  let nextDelay = 0;
  let hints = true;

  function add(secret: string, displayName: string, unknownFor = 0): Password {
    const password = { keyId: randomUUID(), secret, displayName, unknownFor };
    passwords.push(password);
    return password;
  }
  add(owner.clientSecret, 'made by hand');

  function find({ query }: Call): Reply {
    const isRequested = query.get('$filter') === `appId eq '${owner.clientId}'`;
    const passwordCredentials = passwords.map(({ keyId, displayName, secret }) => {
      return { keyId, displayName, ...(hints ? { hint: secret.slice(0, 3) } : {}) };
    });
    const value = isRequested ? [{ id: applicationObject, appId: owner.clientId, passwordCredentials }] : [];
    return { status: 200, body: { value } };
  }

  return {
    passwords,
    addForeign: (secret, displayName = 'of somebody else') => add(secret, displayName).keyId,
    remove: (keyId) =>
      void passwords.splice(
        passwords.findIndex((each) => each.keyId === keyId),
        1,
      ),
    delay: (requests) => void (nextDelay = requests),
    hideHints: () => void (hints = false),
    accepts(id, secret) {
      const password = passwords.find((candidate) => candidate.secret === secret);
      if (id !== owner.clientId || password === undefined) return false;
      if (password.unknownFor === 0) return true;
      password.unknownFor -= 1;
      return false;
    },
    response(call) {
      if (call.kind === 'application') return find(call);
      if (!call.path.startsWith(`/graph/v1.0/applications/${applicationObject}/`))
        return { status: 404, body: {} };
      const body = JSON.parse(call.body) as {
        readonly keyId?: string;
        readonly passwordCredential?: { readonly displayName: string; readonly endDateTime: string };
      };
      if (call.kind === 'add-password') {
        const { displayName = '', endDateTime } = body.passwordCredential ?? {};
        const { keyId, secret } = add(`new-${randomUUID()}`, displayName, nextDelay);
        return { status: 200, body: { keyId, secretText: secret, displayName, endDateTime } };
      }
      const at = passwords.findIndex(({ keyId }) => keyId === body.keyId);
      if (at === -1) return { status: 404, body: {} };
      passwords.splice(at, 1);
      return { status: 204, body: null };
    },
  };
}
