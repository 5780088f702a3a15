/** A client of the public HTTP interface, as programs have one: it knows paths and bodies, and nothing of the inside. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  /** @throws Error if the status is not 200. */
  put<T>(path: string, body: object): Promise<T>;
  delete(path: string): Promise<void>;
  /** Sends blocking queries until the response is accepted. @throws Error with the last response when the time is over. */
  until<T>(path: string, accept: (body: T) => boolean): Promise<T>;
}

/** Milliseconds that anything may take. Only a failing test waits as long. */
const timeoutMs = 120_000;

export function createApiClient(origin: string): ApiClient {
  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${origin}${path}`, init);
    if (response.status === 200) return response;
    throw new Error(`${init.method ?? 'GET'} ${path}: ${response.status} ${await response.text()}`);
  }

  return {
    get: async (path) => (await (await send(path)).json()) as never,
    put: async (path, body) =>
      (await (await send(path, { method: 'PUT', body: JSON.stringify(body) })).json()) as never,
    async delete(path) {
      await (await send(path, { method: 'DELETE' })).text();
    },
    async until(path, accept) {
      const end = Date.now() + timeoutMs;
      const separator = path.includes('?') ? '&' : '?';
      for (let index = '0'; ;) {
        const response = await send(`${path}${separator}index=${index}&wait=5s`);
        const body: unknown = await response.json();
        if (accept(body as never)) return body as never;
        if (Date.now() > end) throw new Error(`GET ${path} stays at ${JSON.stringify(body).slice(-2_000)}`);
        index = response.headers.get('x-scheduler-index') ?? '0';
      }
    },
  };
}
