import type { Socket } from 'node:net';
import { decodeMultiStream, encode } from '@msgpack/msgpack';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { Connection } from '@tamis/scheduler-model/host/persistent-connection.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

/** An error from a Serf agent, or of the connection to it. */
export class SerfError extends Error {
  override readonly name = 'SerfError';
}

/** A body as Serf sends it: strings are bytes, because addresses are sent like strings. */
export type SerfBody = Readonly<Record<string, unknown>>;

/** A response to a command. Some error responses have a body too. */
export interface SerfResponse {
  /** Empty on success. */
  readonly error: string;
  readonly body: SerfBody | null;
}

/**
 * A connection to the RPC of a Serf agent. Commands may be sent before others have completed. Implemented directly on
 * MessagePack, because the packages for this protocol (serf-rpc, serfer) do not limit what they read, and do not report a lost
 * connection.
 */
export interface SerfConnection extends Connection {
  /**
   * Sends a command.
   *
   * @param expectsBody whether its response has one.
   * @throws SerfError if there is no response.
   */
  call(command: string, body: object | null, expectsBody: boolean): Promise<SerfResponse>;
  /** Subscribes to events from now on; each is a body. @throws SerfError */
  stream(type: string, listener: (body: SerfBody) => void): Promise<void>;
}

/** Timeout for a command, in ms: joining tries each address for ten seconds. */
const responseTimeoutMs = 60_000;
/** Maximum commands in progress. Prevents requests from piling up for a stuck agent. */
const maxOpen = 256;
/** Limits for decoding. They prevent another service at the address from filling the memory. */
const limits = { maxStrLength: 65_536, maxBinLength: 65_536, maxArrayLength: 10_000, maxMapLength: 1_024 };

/** Error messages that come instead of a complete response. */
const bareErrors: ReadonlySet<string> = new Set([
  'Handshake required',
  'Authentication required',
  'Unsupported command',
]);

interface OpenCommand {
  readonly expectsBody: boolean;
  readonly settle: (response: SerfResponse) => void;
  readonly fail: (error: SerfError) => void;
}

/** Opens the protocol on a connected socket. */
export function openSerfConnection(socket: Socket, clock: Pick<Clock, 'after'>): SerfConnection {
  return new SocketSerfConnection(socket, clock);
}

class SocketSerfConnection implements SerfConnection {
  readonly ended: Promise<void>;
  readonly #open = new Map<number, OpenCommand>();
  readonly #listeners = new Map<number, (body: SerfBody) => void>();
  readonly #socket: Socket;
  readonly #clock: Pick<Clock, 'after'>;
  #lastSequence = 0;
  #isOver = false;
  /** The header whose body is the next object; null if the next object is a header. */
  #header: { readonly sequence: number; readonly error: string } | null = null;

  constructor(socket: Socket, clock: Pick<Clock, 'after'>) {
    this.#socket = socket;
    this.#clock = clock;
    this.ended = this.#read().then(
      () => this.#end('the Serf agent has closed the connection'),
      (error: unknown) => this.#end(`the connection to the Serf agent is lost: ${reasonOf(error)}`),
    );
  }

  async call(command: string, body: object | null, expectsBody: boolean): Promise<SerfResponse> {
    if (this.#isOver || !this.#socket.writable) {
      throw new SerfError('there is no connection to the Serf agent');
    }
    if (this.#open.size >= maxOpen) throw new SerfError('the Serf agent does not keep up');
    const sequence = this.#send(command, body);
    let cancel = (): void => undefined;
    try {
      return await new Promise<SerfResponse>((settle, fail) => {
        this.#open.set(sequence, { expectsBody, settle, fail });
        cancel = this.#clock.after(responseTimeoutMs, () => {
          this.#open.delete(sequence);
          fail(new SerfError(`the Serf agent did not respond: ${command}`));
        });
      });
    } finally {
      cancel();
    }
  }

  async stream(type: string, listener: (body: SerfBody) => void): Promise<void> {
    // Records of the stream have the number of the command. The first one may directly follow its response.
    this.#listeners.set(this.#lastSequence + 1, listener);
    const { error } = await this.call('stream', { Type: type }, false);
    if (error !== '') throw new SerfError(error);
  }

  close(): void {
    this.#end('the connection to the Serf agent is closed');
  }

  #send(command: string, body: object | null): number {
    this.#lastSequence += 1;
    this.#socket.write(encode({ Command: command, Seq: this.#lastSequence }));
    if (body !== null) this.#socket.write(encode(body));
    return this.#lastSequence;
  }

  async #read(): Promise<void> {
    const decoder = { ...limits, rawStrings: true };
    for await (const object of decodeMultiStream<undefined>(this.#socket, decoder)) {
      if (typeof object !== 'object' || object === null) {
        throw new SerfError('this is not the RPC of a Serf agent');
      }
      const { Seq, Error: error } = object as SerfBody;
      if (typeof Seq === 'number' && error instanceof Uint8Array) this.#takeHeader(Seq, textOf(error));
      else this.#takeBody(object as SerfBody);
    }
  }

  #takeHeader(sequence: number, error: string): void {
    this.#header = null;
    const command = this.#open.get(sequence);
    if (command === undefined) {
      // A record of a stream or an abandoned command, followed by its body.
      this.#header = { sequence, error };
    } else if (!command.expectsBody || bareErrors.has(error)) {
      this.#open.delete(sequence);
      command.settle({ error, body: null });
    } else {
      this.#header = { sequence, error };
    }
  }

  #takeBody(body: SerfBody): void {
    if (this.#header === null) return;
    const { sequence, error } = this.#header;
    this.#header = null;
    const command = this.#open.get(sequence);
    this.#open.delete(sequence);
    if (command !== undefined) command.settle({ error, body });
    else this.#listeners.get(sequence)?.(body);
  }

  #end(reason: string): void {
    this.#isOver = true;
    this.#socket.destroy();
    for (const { fail } of this.#open.values()) fail(new SerfError(reason));
    this.#open.clear();
    this.#listeners.clear();
  }
}

/** Returns a string as sent by Serf. */
export function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : '';
}
