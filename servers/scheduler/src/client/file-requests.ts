import { lstat } from 'node:fs/promises';
import type { Clock } from '../clock.js';
import { SchedulerError } from '../errors.js';
import type { AgentHandler, AgentRequest, AgentResponse } from '../host/agent-service.js';
import { quote } from '../model/quote.js';
import { parseLogQuestion, type LogQuestion } from './file-question.js';
import { FileReader } from './file-reader.js';
import { openLogFiles, type FileSequence } from './file-sequence.js';
import { openFileStream } from './file-stream.js';
import type { TaskState } from './task-events.js';

/** The allocations of a client, as far as their files go. */
export interface AllocationFiles {
  /** The directory of an allocation, whether it is there or not. */
  directoryOf(id: string): string;
  /** The states of the tasks of an allocation that is not over; null for any other. */
  taskStatesOf(id: string): Readonly<Record<string, TaskState>> | null;
}

/** What everything that is read of an allocation has in common. */
interface ReadRequest {
  readonly id: string;
  readonly root: string;
  readonly parameters: AgentRequest['parameters'];
  readonly signal: AbortSignal;
}

/** Answers a client that is asked for the files of an allocation: `logs/<allocation>`. */
export function createFileHandler(files: () => AllocationFiles | null, clock: Clock): AgentHandler {
  return async (rest, { parameters }, signal) => {
    const [, word = '', id = ''] = /^([a-z]+)\/(.+)$/.exec(rest) ?? [];
    const here = files();
    if (here === null) throw new SchedulerError('not-found', 'This client has no allocations yet');
    const request = { id, root: here.directoryOf(id), parameters, signal };
    switch (word) {
      case 'logs':
        return readLog(request, here, clock);
      default:
        throw new SchedulerError('not-found', `This client cannot ${quote(word)} files`);
    }
  };
}

async function readLog(request: ReadRequest, here: AllocationFiles, clock: Clock): Promise<AgentResponse> {
  const question = parseLogQuestion(request.parameters);
  const { task, stream } = question;
  const state = here.taskStatesOf(request.id)?.[task];
  const missing =
    state !== undefined && state.StartedAt === null
      ? `task ${quote(task)} not started yet. No logs available`
      : `log entry for task ${quote(task)} and log type ${quote(stream)} not found`;
  if (!(await isThere(request.root))) {
    throw new SchedulerError('not-found', state === undefined ? noFiles : missing);
  }
  const files = await openLogFiles(request.root, task, stream).catch((error: unknown) => {
    const isMissing = error instanceof SchedulerError && error.code === 'not-found';
    throw isMissing ? new SchedulerError('not-found', missing) : error;
  });
  return send(files, question, missing, { clock, signal: request.signal });
}

const noFiles = 'The node has no files of this allocation: it has not run there, or they have been removed';

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function send(
  files: FileSequence,
  question: Pick<LogQuestion, 'start' | 'limit' | 'follow' | 'plain'>,
  missing: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<AgentResponse> {
  const reader = await FileReader.open(files, question).catch(async (error: unknown) => {
    await files.close();
    throw error;
  });
  if (reader === null) {
    await files.close();
    throw new SchedulerError('not-found', missing);
  }
  const { plain } = question;
  const body = openFileStream(reader, { plain, tellsPlace: question.limit !== null, clock, signal });
  return { status: 200, headers: new Map([['content-type', 'text/plain; charset=utf-8']]), body };
}
