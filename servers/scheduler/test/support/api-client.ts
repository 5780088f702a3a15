/** A client of the public HTTP interface, as programs have one: it knows paths and bodies, and nothing of the inside. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  /** @throws Error for any answer but 200. */
  put<T>(path: string, body: object): Promise<T>;
  delete(path: string): Promise<void>;
  /** Asks with blocking queries until the answer will do. @throws Error with the last answer when the time is over. */
  until<T>(path: string, accept: (body: T) => boolean): Promise<T>;
}

/** Milliseconds that anything may take. Only a failing test waits as long. */
const patience = 120_000;

export function createApiClient(origin: string): ApiClient {
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const answer = await fetch(`${origin}${path}`, init);
    if (answer.status === 200) return answer;
    throw new Error(`${init.method ?? 'GET'} ${path}: ${answer.status} ${await answer.text()}`);
  }

  return {
    get: async (path) => (await (await ask(path)).json()) as never,
    put: async (path, body) =>
      (await (await ask(path, { method: 'PUT', body: JSON.stringify(body) })).json()) as never,
    async delete(path) {
      await (await ask(path, { method: 'DELETE' })).text();
    },
    async until(path, accept) {
      const end = Date.now() + patience;
      const separator = path.includes('?') ? '&' : '?';
      for (let index = '0'; ;) {
        const answer = await ask(`${path}${separator}index=${index}&wait=5s`);
        const body: unknown = await answer.json();
        if (accept(body as never)) return body as never;
        if (Date.now() > end) throw new Error(`GET ${path} stays at ${JSON.stringify(body).slice(-2_000)}`);
        index = answer.headers.get('x-scheduler-index') ?? '0';
      }
    },
  };
}
