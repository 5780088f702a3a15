import { request, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { until } from '../../../scheduler-model/test/support/until.js';

/** An event, as clients read it. */
export interface StreamedEvent {
  readonly Topic: string;
  readonly Type: string;
  readonly Key: string;
  readonly Namespace: string;
  readonly FilterKeys: readonly string[];
  readonly Index: number;
  readonly Payload: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A line of a stream; empty for a sign of life. */
export interface StreamedFrame {
  readonly Index?: number;
  readonly Events?: readonly StreamedEvent[];
  readonly Gap?: { readonly From: number; readonly To: number; readonly Code: string };
  readonly End?: { readonly Code: string; readonly Message: string };
}

export interface OpenStream {
  readonly response: IncomingMessage;
  readonly text: () => string;
  readonly frames: () => readonly StreamedFrame[];
  /** The received events, such as `JobRegistered web`. */
  readonly reported: () => readonly string[];
  /** Moves the time on until it is so. */
  until(isSo: () => boolean, what: string): Promise<void>;
  readonly isDone: () => boolean;
  close(): void;
}

/** Reads a stream of events over a socket, on a clock that is moved by hand. */
export async function openEventStream(
  url: string,
  clock: FakeClock,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const outgoing = request(url, { headers, agent: false });
  outgoing.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  let text = '';
  let shouldYield = false;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => void (text += chunk));
  response.on('close', () => void (shouldYield = true));
  const frames = (): StreamedFrame[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as StreamedFrame);
  return {
    response,
    frames,
    text: () => text,
    reported: () => frames().flatMap(({ Events = [] }) => Events.map(({ Type, Key }) => `${Type} ${Key}`)),
    isDone: () => shouldYield,
    until: (isSo, what) =>
      until(isSo, {
        what,
        between() {
          clock.advance(25);
          return turn();
        },
      }),
    close: () => void response.destroy(),
  };
}
