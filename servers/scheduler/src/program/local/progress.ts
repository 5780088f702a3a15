import type { ProgressListener } from '@tamis/scheduler-state/progress/count-items.js';

/** Counts on a terminal, so that nobody thinks that a long import or export hangs. */
export interface Progress {
  /** @param texts what is said of a count: while there are more, and when there are no more. */
  listener(texts: ProgressTexts): ProgressListener;
  /** Takes what was shown off again, so that what is said next stands alone. */
  readonly end: () => void;
}

/** Of counts as people read them, such as `5,000`. */
export interface ProgressTexts {
  readonly step: (count: string) => string;
  readonly end: (count: string) => string;
}

/** Items between two updates, and before the first one. */
const min = 5_000;
/** Goes back to the beginning of the line and deletes it. */
const clear = '\r\u001b[K';

/** @param project writes to the terminal; null where there is none, and nothing is shown. */
export function createProgress(project: ((text: string) => void) | null): Progress {
  let isVisible = false;

  function update(text: string): void {
    project?.(`${clear}${text}`);
    isVisible = true;
  }

  return {
    listener: ({ step, end }) => ({
      begin: () => undefined,
      step(count) {
        if (count % min === 0) update(step(count.toLocaleString('en')));
      },
      end(count) {
        if (count >= min) update(end(count.toLocaleString('en')));
      },
    }),
    end() {
      if (isVisible) project?.(clear);
      isVisible = false;
    },
  };
}

/** `, 45 %`; nothing where the share, from 0 to 1, is not known. */
export function percentOf(share: number | null): string {
  return share === null ? '' : `, ${Math.floor(share * 100)} %`;
}
