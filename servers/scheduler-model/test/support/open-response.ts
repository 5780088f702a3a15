import { request, type IncomingMessage } from 'node:http';
import { until } from './until.js';

/** A response that is read as it arrives. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly socket: IncomingMessage['socket'];
  /** What has come so far. */
  bytes(): Buffer;
  text(): string;
  /** How it has ended: `no` while it goes on, `cut` where it has broken off. */
  isDone(): 'no' | 'whole' | 'cut';
  until(isSo: (text: string) => boolean): Promise<void>;
  pause(): void;
  resume(): void;
  close(): void;
}

/** Sends a request over a connection of its own and resolves when the response begins. */
export async function openResponse(
  url: string,
  {
    headers = {},
    method = 'GET',
  }: { readonly headers?: Readonly<Record<string, string>>; readonly method?: string } = {},
): Promise<OpenResponse> {
  const outgoing = request(url, { headers, method, agent: false });
  outgoing.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  outgoing.on('error', () => undefined);
  const chunks: Buffer[] = [];
  let shouldYield: 'no' | 'whole' | 'cut' = 'no';
  response.on('data', (chunk: Buffer) => void chunks.push(chunk));
  response.on('error', () => undefined);
  response.on('close', () => void (shouldYield = response.complete ? 'whole' : 'cut'));
  const bytes = (): Buffer => Buffer.concat(chunks);
  const text = (): string => bytes().toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    socket: response.socket,
    bytes,
    text,
    isDone: () => shouldYield,
    until: (isSo) =>
      until(() => isSo(text()), {
        what: `${String(isSo)}, after ${text().slice(-500)}`,
        between: () => new Promise((resolve) => setTimeout(resolve, 5)),
      }),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => response.destroy(),
  };
}

/** A frame of a file, as clients read it. */
export interface FrameView {
  readonly Offset?: number;
  readonly Data?: string;
  readonly File?: string;
  readonly FileEvent?: string;
}

/** The frames of a string, which follow each other directly; the last one may not be whole. */
export function framesOf(text: string): readonly FrameView[] {
  const whole = text.slice(0, text.lastIndexOf('}') + 1);
  return whole === '' ? [] : (JSON.parse(`[${whole.replaceAll('}{', '},{')}]`) as FrameView[]);
}

/** The bytes that frames carry, as text. */
export function dataOf(text: string): string {
  return Buffer.concat(framesOf(text).map(({ Data = '' }) => Buffer.from(Data, 'base64'))).toString('utf8');
}
