import { Readable } from 'node:stream';
import type { LogParams } from '@tamis/scheduler-node/file-params.js';
import { printPlace } from '@tamis/scheduler-node/file-params.js';
import { SchedulerError, unreachable } from '@tamis/scheduler-model/base/errors.js';
import {
  badFrame,
  frameLength,
  readFrames,
  type ReceivedFrame,
} from '@tamis/scheduler-model/host/file-frame.js';
import type { AgentRequest, AgentResponse } from '@tamis/scheduler-model/host/agent-service.js';
import type { CallNode } from '../allocations/node-of-allocation.js';

/** A position in a log: the number of a file and an offset in it. */
export interface LogPlace {
  readonly file: number;
  readonly offset: number;
}

/** The log of a task, on its node. */
export interface LogSource {
  /** Identifier of the log. */
  readonly key: string;
  /** Yields frames from a position on, as they arrive. @throws SchedulerError */
  follow(from: LogPlace, signal: AbortSignal): Promise<AsyncGenerator<ReceivedFrame, void, undefined>>;
  /** Reads an existing chunk. */
  piece(from: LogParams['start'], signal: AbortSignal): Promise<LogPiece | Refusal>;
}

/** A chunk of a log: its start position and its frames. */
export interface LogPiece {
  readonly kind: 'piece';
  readonly place: LogPlace;
  readonly frames: readonly ReceivedFrame[];
}

/** The node's response instead of a log. */
export interface Refusal {
  readonly kind: 'refused';
  readonly status: number;
  readonly text: string;
}

/** Maximum bytes of a log per request. */
const pieceLength = 2 * frameLength;
/** Maximum bytes read of a refusal. Prevents a node from filling the memory of its servers. */
const maxRefusalLength = 4_096;

/** Identifies a log. */
export interface LogName extends Pick<LogParams, 'task' | 'stream'> {
  /** The ID of the allocation. */
  readonly id: string;
  /** Whether a server that has not caught up may respond. */
  readonly stale: boolean;
}

export function createLogSource({ id, stale, stream, task }: LogName, callNode: CallNode): LogSource {
  const common = { task, type: stream, ...(stale ? { stale: 'true' } : {}) };
  const request = (more: Readonly<Record<string, string>>): AgentRequest => ({
    path: `fs/logs/${id}`,
    parameters: new Map(Object.entries({ ...common, ...more }).map(([name, value]) => [name, [value]])),
  });
  return {
    key: JSON.stringify([id, task, stream]),
    async follow(from, signal) {
      const logRequest = { ...request({ follow: 'true', from: printPlace(from) }), isLong: true };
      const response = await callNode(logRequest, signal);
      if (response.status !== 200) throw asError(await readRefusal(response));
      return readFrames(chunksOf(response));
    },
    async piece(start, signal) {
      const from =
        start.origin === 'file'
          ? { from: printPlace(start) }
          : { origin: start.origin, offset: String(start.offset) };
      const response = await callNode(request({ ...from, limit: String(pieceLength) }), signal);
      return response.status === 200 ? readPiece(response) : readRefusal(response);
    },
  };
}

/** Converts a refusal to the error of a log that ends prematurely. */
export function asError({ status, text }: Refusal): SchedulerError {
  return new SchedulerError(status === 404 ? 'not-found' : 'unreachable', text);
}

async function readPiece(response: AgentResponse): Promise<LogPiece> {
  const frames: ReceivedFrame[] = [];
  let length = 0;
  for await (const frame of readFrames(chunksOf(response))) {
    length += frame.data.length;
    if (length > pieceLength) throw unreachable('rpc error: the response is too long');
    if (frame.file !== '') frames.push(frame);
  }
  const [first, ...rest] = frames;
  if (first === undefined) throw badFrame('there is none');
  for (const frame of rest) numberOf(frame);
  return { kind: 'piece', place: { file: numberOf(first), offset: first.offset }, frames: rest };
}

/** Returns the number of the log file of a frame, from the end of its path. */
export function numberOf({ file }: Pick<ReceivedFrame, 'file'>): number {
  const [, number] = /\.(\d{1,15})$/.exec(file) ?? [];
  if (number === undefined) throw badFrame('it is of no log');
  return Number(number);
}

/** The position after a frame. */
export function endOf(frame: Pick<ReceivedFrame, 'file' | 'offset' | 'data'>): LogPlace {
  return { file: numberOf(frame), offset: frame.offset + frame.data.length };
}

async function readRefusal({ body, status }: AgentResponse): Promise<Refusal> {
  let text = '';
  for await (const chunk of chunksOf({ body })) {
    text += chunk.toString('utf8');
    if (text.length > maxRefusalLength) break;
  }
  return { kind: 'refused', status, text: text.slice(0, maxRefusalLength) };
}

async function* chunksOf({ body }: Pick<AgentResponse, 'body'>): AsyncGenerator<Buffer, void, undefined> {
  if (body instanceof Readable) yield* body as AsyncIterable<Buffer>;
  else yield Buffer.from(body);
}
