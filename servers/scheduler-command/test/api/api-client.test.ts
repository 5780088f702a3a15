import { describe, expect, it } from 'vitest';
import { createApiClient, type ApiClient } from '@tamis/scheduler-command/api/api-client.js';

/** A client of an agent whose response is `answer`, by a `fetch` that ignores signals. */
function clientOf(response: () => Promise<Response>): { client: ApiClient; abort: () => void } {
  const controller = new AbortController();
  const client = createApiClient({
    ...{ address: 'http://127.0.0.1:1', token: null, region: null },
    fetch: response,
    signal: controller.signal,
  });
  return { client, abort: () => controller.abort() };
}

describe('an abandoned request', () => {
  it('ends before its response begins', async () => {
    const { client, abort } = clientOf(() => new Promise(() => undefined));
    const query = client.get('/v1/jobs');
    abort();
    await expect(query).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }) as Error);
  });

  it('ends in the middle of a stream, and lets go of it', async () => {
    const { promise: cancelled, settle } = settled();
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{}')),
      cancel: settle,
    });
    const { client, abort } = clientOf(() => Promise.resolve(new Response(body)));
    const pieces = (await client.stream('/v1/event/stream'))[Symbol.asyncIterator]();
    expect(new TextDecoder().decode((await pieces.next()).value as Uint8Array)).toBe('{}');
    const next = pieces.next();
    abort();
    await expect(next).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }) as Error);
    await cancelled;
  });

  it('is not sent if it was aborted before', async () => {
    const { client, abort } = clientOf(() => Promise.resolve(new Response('[]')));
    abort();
    await expect(client.get('/v1/jobs')).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }) as Error,
    );
  });
});

function settled(): { promise: Promise<void>; settle: () => void } {
  let settle = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
