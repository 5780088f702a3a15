/** The head of a request, independent of the host. */
export interface RequestHead {
  readonly method: string;
  /** The URL with its query; the part before the query is ignored. */
  readonly url: string;
  /** Returns the value of a header by its lower-case name; null if it is absent. */
  header(name: string): string | null;
}

/** The response to a request, independent of the host. */
export interface ListResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A long body is rendered on demand, separately for each reader. */
  readonly body: string | (() => AsyncIterable<Uint8Array>);
}

/** Origins that may read a list (CORS). */
export interface CorsOptions {
  /** `*` for all, or origins such as `https://console.example.com`. */
  readonly origins: '*' | readonly string[];
  /** Whether requests from these origins may carry credentials. Default: false. Not allowed with `*`. */
  readonly credentials?: boolean | undefined;
  /** Allowed request headers in addition to `Authorization` and `If-None-Match`. */
  readonly headers?: readonly string[] | undefined;
  /** Time for which browsers cache the response to OPTIONS, in seconds. Default: 600. */
  readonly maxAge?: number | undefined;
}

/** The methods that endpoints accept. */
export const allowedMethods = 'GET, HEAD, OPTIONS';

/** Headers of a plain-text response. */
export const plainText = 'text/plain; charset=utf-8';

/** Returns a plain-text response. */
export function textResponse(
  status: number,
  type: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): ListResponse {
  return {
    status,
    headers: { ...headers, 'Content-Type': type, 'Content-Length': String(byteLength(body)) },
    body,
  };
}

/** Matches strings whose characters take one byte each. */
const ascii = /^[\0-\x7f]*$/;

function byteLength(text: string): number {
  return ascii.test(text) ? text.length : new TextEncoder().encode(text).length;
}

/** Returns the CORS headers, and the `Vary` header for caches. */
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

const defaultHeaders = ['Authorization', 'If-None-Match'];

/** Returns the headers of the response to OPTIONS. */
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
          'Access-Control-Allow-Headers': [...defaultHeaders, ...(cors.headers ?? [])].join(', '),
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

/** Returns a digest of a string as decimal digits: two 32-bit halves, each mixed by multiplication. Not collision-free. */
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
