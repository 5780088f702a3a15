/** Counts lines on a terminal, so that nobody thinks that a long import hangs. */
export interface Progress {
  /** Passes lines through and shows how many there were. */
  watch(lines: AsyncIterable<string>): AsyncIterable<string>;
}

/** Lines between two updates. */
const step = 5_000;

/**
 * @param show writes to the terminal; null where there is none, and nothing is shown.
 * @param done how much of the input has been read, from 0 to 1; null when its size is not known.
 */
export function createProgress(
  verb: string,
  show: ((text: string) => void) | null,
  done: () => number | null,
): Progress {
  return {
    watch: (lines) => (show === null ? lines : countLines(lines, verb, show, done)),
  };
}

async function* countLines(
  lines: AsyncIterable<string>,
  verb: string,
  show: (text: string) => void,
  done: () => number | null,
): AsyncGenerator<string> {
  let count = 0;
  try {
    for await (const line of lines) {
      yield line;
      count += 1;
      if (count % step === 0) show(`\r${verb} ${count.toLocaleString('en')} lines${percent(done())}`);
    }
  } finally {
    // The line is taken off again, so that what is said next stands alone.
    if (count >= step) show('\r\u001b[K');
  }
}

function percent(part: number | null): string {
  return part === null ? '' : `, ${Math.floor(part * 100)} %`;
}
