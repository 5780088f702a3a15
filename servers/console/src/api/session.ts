import { signal, type ReadonlySignal } from '@preact/signals';

/** The session of this tab. Other tabs and later sessions cannot read its token. */
export interface Session {
  /** The token; empty for none. */
  readonly token: ReadonlySignal<string>;
  /** Sets the token. Returns null if it is valid, otherwise the problem. */
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
