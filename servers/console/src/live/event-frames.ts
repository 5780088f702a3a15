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

/** A line of the stream; empty where it only shows that the stream is alive. */
export interface EventFrame {
  readonly Index?: number;
  readonly Events?: readonly ClusterEvent[];
  readonly Gap?: { readonly Message: string };
  readonly End?: { readonly Code: string; readonly Message: string };
}

/** Most characters of a line. The objects in it have at most a few MiB each, and a stream that goes on and on is none of ours. */
const maxLineLength = 32 * 1_024 * 1_024;

/** The lines of a body, parsed. @throws TypeError for what is no stream of events, and whatever ends the body. */
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
