import { describe } from '../language/diagnostics/options.js';
import type { ListResponse, RequestHead } from './response.js';

type Respond = (head: RequestHead, signal: AbortSignal) => Promise<ListResponse>;

/** Handles a request of the Fetch API. Rejects with the reason of the request's signal. */
export function respondFetch(respond: Respond): (request: Request) => Promise<Response> {
  return async (request) => {
    const { method, url, headers, signal } = Object(request) as Request;
    if (typeof url !== 'string' || typeof (headers as unknown as Headers | undefined)?.get !== 'function')
      throw new TypeError(`endpoint.fetch: request must be a Request, got ${describe(request)}`);
    const head: RequestHead = { method, url, header: (name) => headers.get(name) };
    const { status, headers: responseHeaders, body } = await respond(head, signal);
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    const init = { status, headers: responseHeaders };
    if (!hasBody) return new Response(null, init);
    return new Response(typeof body === 'string' ? body : streamOf(body()), init);
  };
}

function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = pieces[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.next();
      if (done === true) controller.close();
      else controller.enqueue(value as Uint8Array<ArrayBuffer>);
    },
    async cancel() {
      await reader.return?.();
    },
  });
}
