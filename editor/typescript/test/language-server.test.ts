import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createConnection,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-languageserver/node';
import { pauseMs, serve } from '../src/language-server.js';

interface Reported {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly { readonly message: string }[];
}

describe('the language server, by the clock', () => {
  let client: MessageConnection;
  let reported: Reported[] = [];
  let uri = '';
  let count = 0;
  beforeAll(async () => {
    const [there, back] = [new PassThrough(), new PassThrough()];
    serve(createConnection(new StreamMessageReader(there), new StreamMessageWriter(back)));
    client = createMessageConnection(new StreamMessageReader(back), new StreamMessageWriter(there));
    client.onNotification('textDocument/publishDiagnostics', (params: Reported) => {
      reported.push(params);
    });
    client.listen();
    await client.sendRequest('initialize', {
      processId: null,
      rootUri: 'file:///somewhere',
      capabilities: {},
      initializationOptions: { filters: [{ files: '*.yaml', at: ['f'] }] },
    });
  });
  afterAll(() => client.dispose());
  beforeEach(() => {
    reported = [];
    count += 1;
    uri = `file:///somewhere/rules${count}.yaml`;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
  });

  const open = (text: string): Promise<void> =>
    client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
  const change = (version: number, text: string): Promise<void> =>
    client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
  /** Sends a request and waits, so that all earlier messages have been processed. */
  const hover = (): Promise<unknown> =>
    client.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line: 0, character: 6 },
    });
  const versions = (): readonly (number | undefined)[] =>
    reported.filter((each) => each.uri === uri).map(({ version }) => version);

  it('reports mistakes immediately on opening, and after the next pause when typing', async () => {
    await open('f: A ==\n');
    await expect.poll(versions).toEqual([1]);
    await change(2, 'f: A == 1\n');
    await change(3, 'f: A == 1 and\n');
    await hover();
    vi.advanceTimersByTime(pauseMs - 1);
    await change(4, 'f: A == 1 and B ==\n');
    expect(await hover()).toMatchObject({ range: { end: { line: 0, character: 7 } } });
    vi.advanceTimersByTime(pauseMs - 1);
    await hover();
    expect(versions()).toEqual([1]);
    vi.advanceTimersByTime(1);
    await expect.poll(versions).toEqual([1, 4]);
    expect(reported[1]?.diagnostics).toHaveLength(1);
  });

  it('reports nothing about documents closed before the pause', async () => {
    await open('f: A == 1\n');
    await expect.poll(versions).toEqual([1]);
    await change(2, 'f: A ==\n');
    await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await hover();
    vi.advanceTimersByTime(pauseMs);
    await hover();
    expect(reported.filter(({ diagnostics }) => diagnostics.length > 0)).toEqual([]);
  });

  it('lets go of a check when what it checks is changed meanwhile', async () => {
    const rules = Array.from({ length: 600 }, (_, at) => `f: A == ${at} and\n`);
    await open(rules.join('---\n'));
    await change(2, 'f: A == 1\n');
    await hover();
    vi.advanceTimersByTime(pauseMs);
    await expect.poll(versions).toContain(2);
    expect(reported.at(-1)?.diagnostics).toEqual([]);
  });
});
