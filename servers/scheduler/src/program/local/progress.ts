import type { ProgressListener } from '@tamis/scheduler-state/progress/count-items.js';

/** Shows a count on a terminal, so that a long import or export does not seem to hang. */
export type Progress = ReturnType<typeof createProgress>;

/** Formats counts for readers, such as `5,000`. */
export interface ProgressTexts {
  readonly step: (count: string) => string;
  readonly end: (count: string) => string;
}

/** Number of items before the first update and between updates. */
const min = 5_000;
/** Moves to the start of the line and deletes it. */
const clear = '\r\u001b[K';

/** @param project writes to the terminal; null without one: then nothing is shown. */
export function createProgress(project: ((text: string) => void) | null) {
  let isVisible = false;

  function update(text: string): void {
    project?.(`${clear}${text}`);
    isVisible = true;
  }

  return {
    /** @param texts messages with the count, for during and after the work. */
    listener: ({ step, end }: ProgressTexts): ProgressListener => ({
      begin: () => undefined,
      step(count) {
        if (count % min === 0) update(step(count.toLocaleString('en')));
      },
      end(count) {
        if (count >= min) update(end(count.toLocaleString('en')));
      },
    }),
    /** Clears the progress line, so that the next message has its own line. */
    end: (): void => {
      if (isVisible) project?.(clear);
      isVisible = false;
    },
  };
}

/** Returns `, 45 %`, or an empty string if the share, from 0 to 1, is unknown. */
export function percentOf(share: number | null): string {
  return share === null ? '' : `, ${Math.floor(share * 100)} %`;
}
