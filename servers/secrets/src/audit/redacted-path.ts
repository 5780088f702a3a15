import { foldName } from '../base/fold.js';

/** Segments after which the next segment is a token, an accessor or a key, never a name. */
const opaqueWords: ReadonlySet<string> = new Set(['token', 'tokens', 'unseal', 'accessor', 'accessors']);
/** Operations on tokens. After `token`, only these segments are readable. */
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
/** Matches a token of this server or of the cloud, at any position. */
const tokenForm = /[bs]\.[\w-]{16,}|eyJ[\w-]{10,}\./;
/** Minimum length of a segment of an unknown path that may be a token; then the maximum. Longer tokens match `tokenForm`. */
const shortestToken = 16;
const maxTokenLength = 128;

export interface Redaction {
  /** Strings that are tokens or accessors, in any form. */
  readonly secrets: readonly string[];
  /** Whether the server has an endpoint at this path. If so, its segments are names. */
  readonly isKnown: boolean;
  /** Creates the replacement for a string that may be a secret. */
  readonly hide: (text: string) => string;
}

/** Returns a path for logs, in which all possible tokens are hidden. */
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

/** Maximum length of a logged path, in bytes. */
const maxQuotedLength = 256;

/** Returns the beginning of a string without cutting a character; null if the string is short enough. */
export function cutText(text: string): string | null {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxQuotedLength) return null;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, maxQuotedLength), {
    stream: true,
  });
}
