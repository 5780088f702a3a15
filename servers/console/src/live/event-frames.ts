/** An event of the stream. The payload has the object under the name of its topic. */
export interface ClusterEvent {
  readonly Topic: string;
  readonly Type: string;
  readonly Key: string;
  readonly Namespace: string;
  readonly FilterKeys: readonly string[];
  readonly Index: number;
  readonly Payload: Readonly<Record<string, object>>;
}

/** A line of the stream; empty if it is a keep-alive. */
export interface EventFrame {
  readonly Index?: number;
  readonly Events?: readonly ClusterEvent[];
  readonly Gap?: { readonly Message: string };
  readonly End?: { readonly Code: string; readonly Message: string };
}

/** Maximum characters of a line. Its objects have at most a few MiB each; an endless line is not from an agent. */
const maxLineLength = 32 * 1_024 * 1_024;

/** Returns the parsed lines of a body. @throws TypeError if it is not a stream of events, and errors of the body. */
export async function* eventFrames(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: () => void,
): AsyncGenerator<EventFrame, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let parts: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const pieces = value.split('\n');
    const last = pieces.pop() ?? '';
    for (const piece of pieces) {
      const line = [...parts, piece].join('');
      parts = [];
      length = 0;
      if (line !== '') yield JSON.parse(line) as EventFrame;
    }
    parts.push(last);
    length += last.length;
    if (length > maxLineLength) throw new TypeError('a line of the stream is too long');
  }
}
