import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { VerbRewriter } from './list-verb.js';

/** Keep-alive timeout of a connection after its last response, in ms. */
const lingerTime = 1_000;
/** Maximum bytes that are read and dropped from a closing connection. Prevents endless bodies from keeping it open. */
const maxDropped = 33_554_432;

/**
 * A connection whose requests pass through a {@link VerbRewriter}, usable by Node's HTTP server. Back-pressure, half-closed ends,
 * timeouts and addresses are those of the underlying socket.
 */
export class VerbSocket extends Duplex {
  private readonly socket: Socket;
  /** Bytes that may still be read and dropped; null while nothing is dropped. */
  private left: number | null = null;

  /**
   * @param awaitVerb called when a request begins with an incomplete verb; the function returned ends the wait. The parser, which
   * applies the timeouts, does not know of this request yet.
   */
  constructor(socket: Socket, awaitVerb: (socket: VerbSocket) => () => void) {
    // Nothing is read ahead: unrequested bodies stay in buffers of the system.
    super({ allowHalfOpen: true, readableHighWaterMark: 0 });
    this.socket = socket;
    const rewriter = new VerbRewriter();
    let endWait: (() => void) | null = null;
    const settle = (isBuffering: boolean): void => {
      if (isBuffering === (endWait !== null)) return;
      endWait?.();
      endWait = isBuffering ? awaitVerb(this) : null;
    };
    socket.on('data', (chunk: Buffer) => {
      if (this.left !== null) {
        this.left -= chunk.length;
        if (this.left < 0) socket.pause();
        return;
      }
      const bytes = rewriter.push(chunk);
      settle(rewriter.isBuffering);
      if (bytes.length > 0 && !this.push(bytes)) socket.pause();
    });
    socket.on('end', () => {
      settle(false);
      const rest = rewriter.flush();
      if (rest.length > 0) this.push(rest);
      this.push(null);
    });
    socket.on('timeout', () => void this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => {
      settle(false);
      this.destroy();
    });
    socket.pause();
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
   * Ends once everything is written and the peer has ended or has been silent for a moment. Remaining input is read: closing a
   * connection with unread bytes resets it, which loses the last response. Beyond a maximum nothing more is read, and the peer
   * has a moment to read the response.
   */
  destroySoon(): void {
    this.dropRest();
    if (this.writable) this.end();
    this.setTimeout(lingerTime, () => this.destroy());
  }

  /** Drops remaining input before it is parsed: this connection ends with the response. */
  dropRest(): void {
    this.left ??= maxDropped;
    this._read();
  }

  override _read(): void {
    if (this.left === null || this.left >= 0) this.socket.resume();
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
    this.socket.destroy();
    done(error);
  }
}
