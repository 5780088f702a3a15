import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEngineClient, EngineFailure } from '../src/engine-client.js';
import type { CallMessage, WorkerMessage } from '../src/protocol.js';

/** A worker that responds when the test calls it. */
class FakeWorker extends EventTarget {
  readonly calls: CallMessage[] = [];
  isEnded = false;

  postMessage(message: CallMessage): void {
    this.calls.push(message);
  }
  terminate(): void {
    this.isEnded = true;
  }
  say(data: WorkerMessage): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

function connect(): {
  readonly workers: FakeWorker[];
  readonly silence: boolean[];
  readonly client: ReturnType<typeof createEngineClient>;
} {
  const workers: FakeWorker[] = [];
  const silence: boolean[] = [];
  const client = createEngineClient(
    () => {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker as unknown as Worker;
    },
    { onProgress: () => undefined, onSilence: (isSilent) => silence.push(isSilent) },
  );
  return { workers, silence, client };
}

describe('the client of the engine', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns its own result for every call, in any order', async () => {
    const { workers, client } = connect();
    const calls = [client.call('format', 'a'), client.call('format', 'b')];
    workers[0]?.say({ kind: 'answer', id: 2, value: 'B' });
    workers[0]?.say({ kind: 'answer', id: 1, value: 'A' });
    expect(await Promise.all(calls)).toEqual(['A', 'B']);
  });

  it('rejects what the worker could not do', async () => {
    const { workers, client } = connect();
    const call = client.call('format', 'a');
    workers[0]?.say({ kind: 'failure', id: 1, message: 'no' });
    await expect(call).rejects.toThrow(new EngineFailure('no'));
  });

  it('reports silence while calls wait, and its end', () => {
    const { workers, silence, client } = connect();
    void client.call('run', 'a == 1');
    vi.advanceTimersByTime(3_999);
    expect(silence).not.toContain(true);
    vi.advanceTimersByTime(1);
    expect(silence.at(-1)).toBe(true);
    workers[0]?.say({ kind: 'answer', id: 1, value: null });
    expect(silence.at(-1)).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(silence.at(-1)).toBe(false);
  });

  it('ends a worker, whatever it is at, and goes on with another', async () => {
    const { workers, client } = connect();
    const lost = client.call('run', 'a == 1');
    client.restart();
    await expect(lost).rejects.toThrow(EngineFailure);
    expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false]);
    const remaining = client.call('format', 'a');
    workers[1]?.say({ kind: 'answer', id: 2, value: 'A' });
    expect(await remaining).toBe('A');
  });
});
