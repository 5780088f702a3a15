import { createClient, type StressResponse, type Client } from '../client.js';
import type { Region } from './region.js';
import type { Stage } from './stage.js';

/** Sends a request to one server, by default as root; `null` for no token. */
export type SendRequest = (
  server: { readonly address: string },
  method: string,
  path: string,
  body?: unknown,
  token?: string | null,
) => Promise<StressResponse>;

/** Requests to servers of a region, over connections that end with the case. */
export function createSend(
  stage: Pick<Stage, 'atEnd'>,
  { rootToken }: Pick<Region, 'rootToken'>,
  localAddress?: string,
): SendRequest {
  const clients = new Map<string, Client>();
  stage.atEnd(async () => {
    for (const client of clients.values()) client.close();
  });
  return (server, method, path, body, token = rootToken) => {
    const client = clients.get(server.address) ?? createClient(server.address, 64, localAddress);
    clients.set(server.address, client);
    return client.send(method, path, body, token ?? undefined);
  };
}

/** A token that was made at a server; without a parent, so that it can be revoked alone. */
export async function makeToken(
  send: SendRequest,
  server: { readonly address: string },
  body: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { status, text } = await send(server, 'POST', 'auth/token/create', {
    no_parent: true,
    ...body,
  });
  if (status !== 200) throw new Error(`no token was made: ${status} ${text}`);
  return (JSON.parse(text) as { readonly auth: { readonly client_token: string } }).auth.client_token;
}

/** The self-lookup of a token. */
export function lookUp(
  send: SendRequest,
  server: { readonly address: string },
  token: string,
): Promise<StressResponse> {
  return send(server, 'GET', 'auth/token/lookup-self', undefined, token);
}

/** The content of a response. */
export function bodyOf({ text }: StressResponse): Readonly<Record<string, unknown>> {
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
