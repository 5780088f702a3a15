import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { VerbRewriter } from './list-verb.js';

/** Time for which a connection stays open after its last response, in ms. */
const lingerTime = 1_000;
/** Maximum bytes that are read and dropped from a closing connection. Prevents endless bodies from keeping it open. */
const maxDropped = 33_554_432;

/**
 * Maximum number of connections whose refused input is read at the same time. Prevents floods from filling the memory with chunks
 * of 64 kB.
 */
const maxDropping = 4;
/** Connections whose refused input is being read. */
const dropping = new Set<VerbSocket>();

/**
 * A connection whose requests pass through a {@link VerbRewriter}, usable by the HTTP server of Node.js. It has the
 * back-pressure, half-closed ends, timeouts and addresses of the underlying socket.
 */
export class VerbSocket extends Duplex {
  private readonly socket: Socket;
  /** Bytes that may still be read and dropped; null until input is refused. */
  private left: number | null = null;
  private readonly rewriter = new VerbRewriter();
  /** Starts or ends the timeout for the rest of a verb. */
  private readonly settle: (isBuffering: boolean) => void;
  /** Whether the reader has requested input. */
  private isRequested = false;

  /**
   * @param awaitVerb called when a request begins with an incomplete verb; the returned function ends the wait. Needed because
   * the parser, which applies the timeouts, does not know of this request yet.
   */
  constructor(socket: Socket, awaitVerb: (socket: VerbSocket) => () => void) {
    // Nothing is read ahead, so that unrequested bodies stay in the buffers of the system.
    super({ allowHalfOpen: true, readableHighWaterMark: 0 });
    this.socket = socket;
    let endWait: (() => void) | null = null;
    this.settle = (isBuffering) => {
      if (isBuffering === (endWait !== null)) return;
      endWait?.();
      endWait = isBuffering ? awaitVerb(this) : null;
    };
    socket.on('readable', () => this.readSocket());
    socket.on('end', () => {
      this.settle(false);
      const rest = this.rewriter.flush();
      if (rest.length > 0) this.push(rest);
      this.push(null);
    });
    socket.on('timeout', () => void this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => {
      this.settle(false);
      this.destroy();
    });
  }

  get remoteAddress(): string | undefined {
    return this.socket.remoteAddress;
  }

  setTimeout(milliseconds: number, listener?: () => void): this {
    this.socket.setTimeout(milliseconds);
    if (listener !== undefined) this.once('timeout', listener);
    return this;
  }

  setKeepAlive(enable?: boolean, delay?: number): this {
    this.socket.setKeepAlive(enable, delay);
    return this;
  }

  setNoDelay(noDelay?: boolean): this {
    this.socket.setNoDelay(noDelay);
    return this;
  }

  /**
   * Ends the connection once everything is written and the peer has ended or was silent for a moment. Until then remaining input
   * is read: closing a connection with unread input resets it, which loses the last response. If a maximum is exceeded, reading
   * stops, and the peer has a moment to read the response.
   */
  destroySoon(): void {
    this.dropRest();
    if (this.writable) this.end();
    this.setTimeout(lingerTime, () => this.destroy());
  }

  /** Drops all remaining input unparsed, because the connection ends with the response. */
  dropRest(): void {
    if (this.left === null && dropping.size < maxDropping) {
      dropping.add(this);
      this.left = maxDropped;
    }
    this.left ??= 0;
    this._read();
  }

  override _read(): void {
    if (this.left === 0) return;
    this.isRequested = true;
    this.readSocket();
  }

  /** Reads input only when it is requested. A socket that is merely paused would read 64 kB ahead. */
  private readSocket(): void {
    while (this.isRequested) {
      const chunk = this.socket.read() as Buffer | null;
      if (chunk === null) return;
      if (this.left !== null) {
        this.left = Math.max(0, this.left - chunk.length);
        this.isRequested = this.left > 0;
        continue;
      }
      const bytes = this.rewriter.push(chunk);
      this.settle(this.rewriter.isBuffering);
      if (bytes.length === 0) continue;
      this.isRequested = false;
      this.push(bytes);
    }
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.socket.write(chunk, done);
  }

  override _writev(
    chunks: readonly { readonly chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this.socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.socket.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    dropping.delete(this);
    this.socket.destroy();
    done(error);
  }
}
