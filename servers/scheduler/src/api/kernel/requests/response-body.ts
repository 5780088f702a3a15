import type { Readable } from 'node:stream';
import { jsonPieces, printPieces, textStream, writeJson, type Chunk, type TimeSlicer } from '@tamis/http';
import type { FastifyReply } from 'fastify';

/** Number of columns by which `pretty` indents. */
export const prettyIndent = 4;

/** Returns one object as a JSON body. */
export function writeBody(value: unknown, pretty: boolean): string {
  return pretty ? `${writeJson(value, prettyIndent)}\n` : writeJson(value);
}

/** Maximum characters of a body that is sent as one string. */
const maxTextLength = 262_144;

/** Returns one object as a JSON body, built in slices. A long body becomes a stream. */
export function printObject(
  value: unknown,
  pretty: boolean,
  slices: TimeSlicer,
  signal: AbortSignal,
): Promise<Chunk | Readable> {
  return printBody(bodyPieces(value, pretty), slices, signal);
}

/** Returns a body of chunks built in slices. A long body becomes a stream that starts with the finished chunks. */
export async function printBody(
  pieces: Iterator<Chunk, unknown, undefined>,
  slices: TimeSlicer,
  signal: AbortSignal,
): Promise<Chunk | Readable> {
  const printer = printPieces(pieces);
  const work = slices.run(
    (shouldYield) => printer.print(maxTextLength, shouldYield) || printer.length >= maxTextLength,
    signal,
  );
  if (work !== null) await work;
  if (!printer.isDone) return textStream(printer, slices);
  const [first = '', ...others] = printer.take();
  return others.length === 0 ? first : Buffer.concat([first, ...others].map((chunk) => Buffer.from(chunk)));
}

function* bodyPieces(value: unknown, pretty: boolean): Generator<string, void, undefined> {
  yield* jsonPieces(value, pretty ? prettyIndent : 0);
  if (pretty) yield '\n';
}

export function sendJson(reply: FastifyReply, value: unknown, pretty: boolean): FastifyReply {
  return reply.type('application/json').send(writeBody(value, pretty));
}

export function sendText(reply: FastifyReply, status: number, text: string): FastifyReply {
  reply.code(status);
  return text === '' ? reply.send() : reply.type('text/plain; charset=utf-8').send(text);
}
