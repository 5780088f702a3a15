/** A request, as endpoints look at it: no host's, and no body. */
export interface RequestHead {
  readonly method: string;
  /** With the query; whatever stands before it is not looked at. */
  readonly url: string;
  /** The value of a header, its name in small letters; null where it is absent. */
  header(name: string): string | null;
}

/** The answer to a request before it is any host's. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A long body is made as it is read, anew for each who reads it. */
  readonly body: string | (() => AsyncIterable<Uint8Array>);
}

/** Which pages of other origins may read a list. */
export interface CorsOptions {
  /** `*` for all, or origins such as `https://console.example.com`. */
  readonly origins: '*' | readonly string[];
  /** Whether their requests carry cookies and the like: false. Not with `*`. */
  readonly credentials?: boolean | undefined;
  /** Headers that they may send beside `Authorization` and `If-None-Match`. */
  readonly headers?: readonly string[] | undefined;
  /** Seconds for which browsers remember the answer to OPTIONS: 600. */
  readonly maxAge?: number | undefined;
}

/** The methods that endpoints answer. */
export const allowedMethods = 'GET, HEAD, OPTIONS';

/** Headers of an answer that is a text of people. */
export const plainText = 'text/plain; charset=utf-8';

/** The answer with a text, and what it takes. */
export function textAnswer(
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Answer {
  return {
    status,
    headers: { ...headers, 'Content-Type': type, 'Content-Length': String(byteLength(body)) },
    body,
  };
}

/** Characters that take one byte each. */
const ascii = /^[\0-\x7f]*$/;

function byteLength(text: string): number {
  return ascii.test(text) ? text.length : new TextEncoder().encode(text).length;
}

/** Headers for pages of other origins, and what caches have to tell apart for them. */
export function corsHeaders(
  cors: CorsOptions | undefined,
  origin: string | null,
  exposed: readonly string[],
): Readonly<Record<string, string>> {
  const allowed = cors?.origins === '*' ? '*' : cors?.origins.find((each) => each === origin);
  if (cors === undefined || allowed === undefined) return {};
  return {
    'Access-Control-Allow-Origin': allowed,
    ...(cors.credentials === true ? { 'Access-Control-Allow-Credentials': 'true' } : {}),
    'Access-Control-Expose-Headers': exposed.join(', '),
  };
}

const usualHeaders = ['Authorization', 'If-None-Match'];

/** Headers of the answer to OPTIONS. */
export function optionsHeaders(
  cors: CorsOptions | undefined,
  isAllowed: boolean,
): Readonly<Record<string, string>> {
  return {
    Allow: allowedMethods,
    ...(cors === undefined || !isAllowed
      ? {}
      : {
          'Access-Control-Allow-Methods': allowedMethods,
          'Access-Control-Allow-Headers': [...usualHeaders, ...(cors.headers ?? [])].join(', '),
          'Access-Control-Max-Age': String(cors.maxAge ?? 600),
        }),
  };
}

/** Whether an `If-None-Match` names this tag. Tags of lists are weak, as is the comparison. */
export function matchesTag(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  const opaque = (each: string): string => each.trim().replace(/^W\//, '');
  return header.split(',').some((each) => opaque(each) === opaque(tag));
}

/** Some digits that are others for another text, nearly always: two halves of 32 bits, each mixed by multiplication. */
export function digestOf(text: string, seed = ''): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  const whole = seed === '' ? text : `${seed}\n${text}`;
  for (let at = 0; at < whole.length; at += 1) {
    const code = whole.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36);
}
