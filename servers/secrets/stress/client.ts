import { Agent, request } from 'node:http';

export interface StressResponse {
  readonly status: number;
  readonly text: string;
}

/** Sends requests to one server. */
export interface Client {
  /**
   * @param path below `/v1/`. @param body a string is sent unchanged, anything else as JSON.
   * @returns the response; rejects if the server ends before that.
   */
  send(method: string, path: string, body?: unknown, token?: string): Promise<StressResponse>;
  close(): void;
}

/**
 * @param connections how many requests may be under way at a time; others wait.
 * @param localAddress of loopback, that the server is to see.
 */
export function createClient(address: string, connections: number, localAddress?: string): Client {
  const own = localAddress === undefined ? {} : { localAddress };
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ...own });
  return {
    send(method, path, body, token) {
      const text = body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);
      const headers = {
        'Content-Length': Buffer.byteLength(text),
        ...(token !== undefined && { 'X-Secrets-Token': token }),
      };
      return new Promise((resolve, reject) => {
        const sent = request(`${address}/v1/${path}`, { agent, method, headers }, (response) => {
          let received = '';
          response.setEncoding('utf8').on('data', (piece: string) => (received += piece));
          response.on('error', reject);
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text: received }));
        });
        sent.on('error', reject);
        sent.end(text);
      });
    },
    close: () => agent.destroy(),
  };
}

/** Runs `task` for every item, so many at a time. */
export async function forAll<Item>(
  items: readonly Item[],
  width: number,
  task: (item: Item, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      await task(items[at] as Item, at);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}
