import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';

/** A server-wide limit on streams read at the clients' pace. */
export type StreamLimit = ReturnType<typeof createStreamLimit>;

export function createStreamLimit(max: number) {
  let underWay = 0;
  return {
    /** Counts a new stream. The returned function, which is idempotent, removes it. @throws SchedulerError `too-many-requests` */
    begin(): () => void {
      if (underWay >= max) {
        const text = `This server sends ${max} files and logs already (limits.max_file_streams): try again later or use another agent`;
        throw new SchedulerError('too-many-requests', text);
      }
      underWay += 1;
      let shouldYield = false;
      return () => {
        if (!shouldYield) underWay -= 1;
        shouldYield = true;
      };
    },
  };
}
