import type { Answer, RequestHead } from './answer.js';

type AnswerTo = (head: RequestHead, signal: AbortSignal) => Promise<Answer>;

/** Handles a request of the Fetch API. Rejects with the reason of the request's signal. */
export function answerFetch(answer: AnswerTo): (request: Request) => Promise<Response> {
  return async ({ method, url, headers, signal }) => {
    const head: RequestHead = { method, url, header: (name) => headers.get(name) };
    const { status, headers: told, body } = await answer(head, signal);
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    const init = { status, headers: told };
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
