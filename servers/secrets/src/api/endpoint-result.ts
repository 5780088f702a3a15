import type { AuthBlock } from '../tokens/token-view.js';

/** The result of an endpoint; none for status 204 without a body. */
export type EndpointResult =
  /** 200 with `data`. */
  | {
      readonly kind: 'data';
      readonly data: Readonly<Record<string, unknown>>;
      readonly warnings?: readonly string[];
    }
  /** 200 with names; 404 if there are no names. */
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  | { readonly kind: 'warnings'; readonly warnings: readonly string[] }
  /** 200 with `auth`. `undo` revokes a new token that must not be delivered. */
  | {
      readonly kind: 'auth';
      readonly auth: AuthBlock;
      readonly warnings: readonly string[];
      readonly undo?: () => Promise<void>;
    }
  /** A body without the envelope, for monitoring. */
  | { readonly kind: 'bare'; readonly status: number; readonly body: Readonly<Record<string, unknown>> }
  /** 200 with a body that is not a JSON object. */
  | { readonly kind: 'content'; readonly content: Content };

/** A string that is sent in chunks, which are generated on demand. */
export interface Content {
  /** The media type. */
  readonly type: string;
  readonly pieces: Iterable<string> | AsyncIterable<string>;
}

/** A response to be sent. It has no body if `body` is null and there is no `content`. */
export interface ApiResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly content?: Content;
  /** The error message for logs, if the body quotes the request. */
  readonly recorded?: string;
}

/** Returns the response to a request, with all members of the envelope, including empty ones. */
export function toResponse(response: EndpointResult | void, requestId: string): ApiResponse {
  if (response === undefined) return { status: 204, body: null };
  switch (response.kind) {
    case 'bare':
      return { status: response.status, body: response.body };
    case 'content':
      return { status: 200, body: null, content: response.content };
    case 'keys':
      if (response.keys.length === 0) return { status: 404, body: { errors: [] } };
      return { status: 200, body: envelope(requestId, { data: { keys: response.keys } }) };
    case 'data':
    case 'warnings':
    case 'auth':
      return { status: 200, body: envelope(requestId, response) };
  }
}

interface Members {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly auth?: AuthBlock;
  readonly warnings?: readonly string[];
}

function envelope(requestId: string, members: Members): Readonly<Record<string, unknown>> {
  const { data = null, auth = null, warnings = [] } = members;
  return {
    request_id: requestId,
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data,
    wrap_info: null,
    warnings: warnings.length === 0 ? null : warnings,
    auth,
  };
}
