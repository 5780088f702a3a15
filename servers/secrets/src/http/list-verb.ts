/** The verb that the parser of Node.js does not know, and unused verbs of the same length that it knows. */
const list = Buffer.from('LIST ');
const link = Buffer.from('LINK ');
const lock = Buffer.from('LOCK ');

/** Maximum length of a parsed header line, in bytes. The HTTP parser refuses longer ones. */
const maxLineLength = 131_072;
const lineFeed = 10;
const carriageReturn = 13;

type State =
  | { readonly kind: 'verb' }
  | { readonly kind: 'head' }
  | { readonly kind: 'body'; left: number }
  | { readonly kind: 'chunk-size' }
  | { readonly kind: 'chunk-end' }
  | { readonly kind: 'trailers' }
  /** The stream contains something unsupported: it is passed through unchanged from here on. */
  | { readonly kind: 'pass-through' };

interface Framing {
  length: number | null;
  isChunked: boolean;
}

/**
 * Follows the requests on one connection and rewrites the verb of each: `LIST` becomes `LINK`, which Node's parser
 * knows, and a real `LINK` becomes `LOCK`, so that every `LINK` the server sees was a `LIST`. It tracks the ends of bodies, so
 * that they are never changed. At the first message without plain HTTP/1.1 framing it stops rewriting permanently, and leaves the
 * refusal to the parser.
 */
export class VerbRewriter {
  private state: State = { kind: 'verb' };
  /** Bytes of an incomplete verb or line. */
  private buffered: Buffer[] = [];
  private bufferedLength = 0;
  private framing: Framing = { length: null, isChunked: false };

  /** Returns the bytes to forward for a received chunk. Bytes of an incomplete verb are buffered. */
  push(chunk: Buffer): Buffer {
    if (this.state.kind === 'pass-through') return chunk;
    const pieces: Buffer[] = [];
    let at = 0;
    while (at < chunk.length) at = this.step(chunk, at, pieces);
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  /** Whether bytes of a verb are buffered. The parser does not know yet that a request has begun. */
  get isBuffering(): boolean {
    return this.state.kind === 'verb' && this.bufferedLength > 0;
  }

  /** Returns the bytes still buffered when the stream ends. */
  flush(): Buffer {
    return this.state.kind === 'verb' ? this.takeBuffered() : Buffer.alloc(0);
  }

  /** Processes a chunk from offset `at` on, and adds bytes to forward to `pieces`. Returns the next offset. */
  private step(chunk: Buffer, at: number, pieces: Buffer[]): number {
    const { state } = this;
    switch (state.kind) {
      case 'verb':
        return this.takeVerb(chunk, at, pieces);
      case 'body': {
        const end = Math.min(chunk.length, at + state.left);
        state.left -= end - at;
        if (state.left === 0) this.state = this.framing.isChunked ? { kind: 'chunk-end' } : { kind: 'verb' };
        pieces.push(chunk.subarray(at, end));
        return end;
      }
      case 'pass-through':
        pieces.push(chunk.subarray(at));
        return chunk.length;
      default:
        return this.takeLine(chunk, at, pieces);
    }
  }

  private takeVerb(chunk: Buffer, at: number, pieces: Buffer[]): number {
    const byte = chunk[at] ?? 0;
    if (this.bufferedLength === 0 && (byte === carriageReturn || byte === lineFeed)) {
      pieces.push(chunk.subarray(at, at + 1));
      return at + 1;
    }
    const end = Math.min(chunk.length, at + list.length - this.bufferedLength);
    this.buffer(chunk.subarray(at, end));
    const verb = Buffer.concat(this.buffered);
    if (verb.length < list.length && couldBe(verb)) return end;
    this.takeBuffered();
    const rewritten = verb.equals(list) ? link : verb.equals(link) ? lock : verb;
    this.framing = { length: null, isChunked: false };
    this.state = { kind: 'head' };
    // A short verb, or a line that ends within the first bytes, is parsed again as part of its line.
    const lineEnd = rewritten.indexOf(lineFeed);
    if (lineEnd !== -1) this.state = { kind: 'pass-through' };
    else this.buffer(rewritten);
    pieces.push(rewritten);
    return end;
  }

  private takeLine(chunk: Buffer, at: number, pieces: Buffer[]): number {
    const feed = chunk.indexOf(lineFeed, at);
    const end = feed === -1 ? chunk.length : feed + 1;
    const part = chunk.subarray(at, end);
    pieces.push(part);
    this.buffer(part);
    if (this.bufferedLength > maxLineLength) this.passThrough();
    else if (feed !== -1) this.endLine(this.takeBuffered());
    return end;
  }

  private endLine(bytes: Buffer): void {
    if (bytes[bytes.length - 2] !== carriageReturn) {
      this.passThrough();
      return;
    }
    const line = bytes.toString('latin1', 0, bytes.length - 2);
    switch (this.state.kind) {
      case 'head':
        if (line === '') this.endHead();
        else if (!this.readHeader(line)) this.passThrough();
        return;
      case 'chunk-size':
        this.beginChunk(line);
        return;
      case 'chunk-end':
        if (line === '') this.state = { kind: 'chunk-size' };
        else this.passThrough();
        return;
      case 'trailers':
        if (line === '') this.state = { kind: 'verb' };
        return;
      default:
        this.passThrough();
    }
  }

  /** Reads a header that determines the length of the body. Returns false if it is ambiguous. */
  private readHeader(line: string): boolean {
    const [, name = ''] = /^([^:\s]+):/.exec(line) ?? [];
    // Only values of a known form match. Trying each blank separately would be slow.
    const value = line.slice(name.length + 1);
    switch (name.toLowerCase()) {
      case 'content-length': {
        const [, digits] = /^[ \t]*(\d{1,15})[ \t]*$/.exec(value) ?? [];
        if (this.framing.length !== null || digits === undefined) return false;
        this.framing.length = Number(digits);
        return true;
      }
      case 'transfer-encoding':
        if (this.framing.isChunked || !/^[ \t]*chunked[ \t]*$/i.test(value)) return false;
        this.framing.isChunked = true;
        return true;
      default:
        // A continuation line could extend one of these headers.
        return !/^[ \t]/.test(line);
    }
  }

  private endHead(): void {
    const { length, isChunked } = this.framing;
    if (isChunked && length !== null) this.passThrough();
    else if (isChunked) this.state = { kind: 'chunk-size' };
    else this.state = (length ?? 0) === 0 ? { kind: 'verb' } : { kind: 'body', left: length ?? 0 };
  }

  private beginChunk(line: string): void {
    const [, digits] = /^([0-9a-f]{1,12})(?:[ \t]*;.*)?$/i.exec(line) ?? [];
    if (digits === undefined) this.passThrough();
    else if (/^0+$/.test(digits)) this.state = { kind: 'trailers' };
    else this.state = { kind: 'body', left: parseInt(digits, 16) };
  }

  private buffer(bytes: Buffer): void {
    // The stream may reuse the memory of the chunk.
    if (bytes.length > 0) this.buffered.push(Buffer.from(bytes));
    this.bufferedLength += bytes.length;
  }

  private takeBuffered(): Buffer {
    const bytes = Buffer.concat(this.buffered);
    this.buffered = [];
    this.bufferedLength = 0;
    return bytes;
  }

  private passThrough(): void {
    this.takeBuffered();
    this.state = { kind: 'pass-through' };
  }
}

function couldBe(verb: Buffer): boolean {
  return [list, link].some((whole) => whole.subarray(0, verb.length).equals(verb));
}
