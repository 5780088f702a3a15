import { signal, type ReadonlySignal } from '@preact/signals';

/** The token of this tab. It is stored so that no other tab and no later one can read it. */
export interface Session {
  /** Empty for none. */
  readonly token: ReadonlySignal<string>;
  /** Returns null if the string is accepted, else the problem. */
  signIn(token: string): string | null;
  signOut(): void;
}

const place = 'scheduler-token';
const maxTokenLength = 256;

export function createSession(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Session {
  const token = signal(storage.getItem(place) ?? '');
  return {
    token,
    signIn(text) {
      const given = text.trim();
      if (given === '') return 'A token is missing: paste its SecretID.';
      if (given.length > maxTokenLength) return `A token has at most ${maxTokenLength} characters.`;
      if (!/^[\x21-\x7e]+$/.test(given)) return 'A token has letters, digits and dashes only, and no blanks.';
      storage.setItem(place, given);
      token.value = given;
      return null;
    },
    signOut() {
      storage.removeItem(place);
      token.value = '';
    },
  };
}
