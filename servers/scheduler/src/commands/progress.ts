/** Counts lines on a terminal, so that nobody thinks that a long import hangs. */
export interface Progress {
  /** Passes lines through and shows how many there were. */
  watch(lines: AsyncIterable<string>): AsyncIterable<string>;
  /** Takes what was shown off again, so that what is said next stands alone. */
  readonly end: () => void;
}

/** Lines between two updates. */
const step = 5_000;
/** Goes back to the beginning of the line and deletes it. */
const clear = '\r\u001b[K';

/**
 * @param show writes to the terminal; null where there is none, and nothing is shown.
 * @param done how much of the input has been read, from 0 to 1; null when its size is not known.
 */
export function createProgress(show: ((text: string) => void) | null, done: () => number | null): Progress {
  let shown = false;

  function update(text: string): void {
    show?.(`${clear}${text}`);
    shown = true;
  }

  async function* count(lines: AsyncIterable<string>): AsyncGenerator<string> {
    let read = 0;
    for await (const line of lines) {
      yield line;
      read += 1;
      if (read % step === 0) update(`read ${read.toLocaleString('en')} lines${percent(done())}`);
    }
    if (read >= step) update(`writing what ${read.toLocaleString('en')} lines hold`);
  }

  return {
    watch: (lines) => (show === null ? lines : count(lines)),
    end() {
      if (shown) show?.(clear);
      shown = false;
    },
  };
}

function percent(part: number | null): string {
  return part === null ? '' : `, ${Math.floor(part * 100)} %`;
}
