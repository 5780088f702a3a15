/** The part of oidc-provider that the fake cloud uses; the package brings no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface TokenContents {
    readonly header?: Record<string, unknown> | undefined;
    readonly payload: Record<string, unknown>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }
}
