import { foldName } from '../base/fold.js';

/** After these words a path holds a token, an accessor or a key, never a name. */
const opaqueWords: ReadonlySet<string> = new Set(['token', 'tokens', 'unseal', 'accessor', 'accessors']);
/** The operations on tokens: the words that may be read after `token`. */
const operations: ReadonlySet<string> = new Set([
  'accessors',
  'create',
  'create-orphan',
  'lookup',
  'lookup-accessor',
  'lookup-self',
  'renew',
  'renew-accessor',
  'renew-self',
  'revoke',
  'revoke-accessor',
  'revoke-all',
  'revoke-orphan',
  'revoke-self',
  'roles',
  'tidy',
]);
/** A token of this server or of the cloud, at any position. */
const tokenForm = /[bs]\.[\w-]{16,}|eyJ[\w-]{10,}\./;
/** Lengths of segments that may be a token, in unknown paths. Longer tokens have a form of their own. */
const shortestToken = 16;
const maxTokenLength = 128;

export interface Redaction {
  /** Texts that are tokens or accessors, whatever they look like. */
  readonly secrets: readonly string[];
  /** Whether the server has something at this path: then what is in it is a name. */
  readonly isKnown: boolean;
  /** Creates the replacement for a string that may be a secret. */
  readonly hide: (text: string) => string;
}

/** A path as logs may hold it: whatever in it may be a token is hidden. */
export function redactPath(path: string, { secrets, isKnown, hide }: Redaction): string {
  let isAfterSecret = false;
  return path
    .split('/')
    .map((segment) => {
      const word = foldName(segment);
      const isSecret =
        (isAfterSecret && segment !== '' && !operations.has(word)) ||
        tokenForm.test(segment) ||
        secrets.some((secret) => segment.includes(secret)) ||
        (!isKnown && isTokenLong(segment) && !operations.has(word));
      isAfterSecret ||= opaqueWords.has(word);
      return isSecret ? hide(segment) : segment;
    })
    .join('/');
}

function isTokenLong({ length }: string): boolean {
  return length >= shortestToken && length <= maxTokenLength;
}

/** Bytes of a path that are written down. */
const maxQuotedLength = 256;

/** The beginning of a text, cut between two characters; null when it is short enough as it is. */
export function cutText(text: string): string | null {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxQuotedLength) return null;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, maxQuotedLength), {
    stream: true,
  });
}
