import type { Client } from './client.js';

/** The values that a new store reveals only once. */
export interface StoreKeys {
  readonly unsealKey: string;
  readonly rootToken: string;
}

/** Makes the store of a new server. @throws Error when it is not made */
export async function initialize(client: Client): Promise<StoreKeys> {
  const { status, text } = await client.send('PUT', 'sys/init', {});
  if (status !== 200) throw new Error(`the store is not made: ${text}`);
  const { keys, root_token: rootToken } = JSON.parse(text) as {
    readonly keys: readonly string[];
    readonly root_token: string;
  };
  return { unsealKey: keys[0] ?? '', rootToken };
}
