import type { Socket } from 'node:net';
import { decodeMultiStream, encode } from '@msgpack/msgpack';
import type { Clock } from '../clock.js';

/** What a Serf agent says no to, or a connection to it that has failed. */
export class SerfError extends Error {
  override readonly name = 'SerfError';
}

/** A body as Serf sends it: texts are bytes, because addresses are sent like texts. */
export type SerfBody = Readonly<Record<string, unknown>>;

/** An answer to a command. Some errors come with a body. */
export interface SerfAnswer {
  /** Empty for success. */
  readonly error: string;
  readonly body: SerfBody | null;
}

/** One connection to the RPC of a Serf agent. Commands may be sent before others are answered. */
export interface SerfConnection {
  /**
   * Sends a command.
   *
   * @param expectsBody whether its answer has one.
   * @throws SerfError when there is no answer.
   */
  ask(command: string, body: object | null, expectsBody: boolean): Promise<SerfAnswer>;
  /** Asks for events from now on; each is a body. @throws SerfError */
  stream(type: string, listener: (body: SerfBody) => void): Promise<void>;
  /** Resolves when the connection has ended, by whoever. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Milliseconds that a command may take: joining tries each address for ten seconds. */
const answerTimeout = 60_000;
/** Most commands without an answer. Stops requests from piling up behind an agent that is stuck. */
const maxOpen = 256;
/** Bounds of what is decoded. They stop whatever else listens at the address from filling the memory. */
const limits = { maxStrLength: 65_536, maxBinLength: 65_536, maxArrayLength: 10_000, maxMapLength: 1_024 };

/** Errors that take the place of the whole answer. */
const bareErrors: ReadonlySet<string> = new Set([
  'Handshake required',
  'Authentication required',
  'Unsupported command',
]);

interface OpenCommand {
  readonly expectsBody: boolean;
  readonly settle: (answer: SerfAnswer) => void;
  readonly fail: (error: SerfError) => void;
}

/** Speaks the protocol over a socket that is connected. */
export function openSerfConnection(socket: Socket, clock: Pick<Clock, 'after'>): SerfConnection {
  const open = new Map<number, OpenCommand>();
  const listeners = new Map<number, (body: SerfBody) => void>();
  let lastSequence = 0;
  let isOver = false;
  /** What the next object belongs to, when it is a body. */
  let header: { readonly sequence: number; readonly error: string } | null = null;

  function send(command: string, body: object | null): number {
    lastSequence += 1;
    socket.write(encode({ Command: command, Seq: lastSequence }));
    if (body !== null) socket.write(encode(body));
    return lastSequence;
  }

  function takeHeader(sequence: number, error: string): void {
    header = null;
    const command = open.get(sequence);
    if (command === undefined) {
      // A record of a stream, or of a command that was given up: its body follows.
      header = { sequence, error };
    } else if (!command.expectsBody || bareErrors.has(error)) {
      open.delete(sequence);
      command.settle({ error, body: null });
    } else {
      header = { sequence, error };
    }
  }

  function takeBody(body: SerfBody): void {
    if (header === null) return;
    const { sequence, error } = header;
    header = null;
    const command = open.get(sequence);
    open.delete(sequence);
    if (command !== undefined) command.settle({ error, body });
    else listeners.get(sequence)?.(body);
  }

  async function read(): Promise<void> {
    for await (const object of decodeMultiStream<undefined>(socket, { ...limits, rawStrings: true })) {
      if (typeof object !== 'object' || object === null)
        throw new SerfError('this is not the RPC of a Serf agent');
      const { Seq, Error: error } = object as SerfBody;
      if (typeof Seq === 'number' && error instanceof Uint8Array) takeHeader(Seq, textOf(error));
      else takeBody(object as SerfBody);
    }
  }

  function end(reason: string): void {
    isOver = true;
    socket.destroy();
    for (const { fail } of open.values()) fail(new SerfError(reason));
    open.clear();
    listeners.clear();
  }

  const ended = read().then(
    () => end('the Serf agent has closed the connection'),
    (error: unknown) => end(`the connection to the Serf agent is lost: ${describe(error)}`),
  );

  async function ask(command: string, body: object | null, expectsBody: boolean): Promise<SerfAnswer> {
    if (isOver || !socket.writable) throw new SerfError('there is no connection to the Serf agent');
    if (open.size >= maxOpen) throw new SerfError('the Serf agent does not keep up');
    const sequence = send(command, body);
    let cancel = (): void => undefined;
    try {
      return await new Promise<SerfAnswer>((settle, fail) => {
        open.set(sequence, { expectsBody, settle, fail });
        cancel = clock.after(answerTimeout, () => {
          open.delete(sequence);
          fail(new SerfError(`the Serf agent does not answer: ${command}`));
        });
      });
    } finally {
      cancel();
    }
  }

  return {
    ask,
    async stream(type, listener) {
      // The records carry the number of the command, and the first may follow its answer at once.
      listeners.set(lastSequence + 1, listener);
      const { error } = await ask('stream', { Type: type }, false);
      if (error !== '') throw new SerfError(error);
    },
    ended,
    close: () => end('the connection to the Serf agent is closed'),
  };
}

/** A text as Serf sends it. */
export function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
