import { firstParameter } from '@tamis/http';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { notFound, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import {
  jsonResponse,
  type AgentHandler,
  type AgentRequest,
  type AgentResponse,
} from '@tamis/scheduler-model/host/agent-service.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import {
  parseLogParams,
  parsePartParams,
  parsePath,
  parseStreamParams,
  type FileParams,
} from './file-params.js';
import { isThere } from './allocation-directory.js';
import { listDirectory, statFile } from './file-listing.js';
import { FileReader, type FileReading } from './file-reader.js';
import { openLogFiles, openOneFile, type FileSequence } from './file-sequence.js';
import { openFileStream } from './file-stream.js';
import type { TaskState } from '@tamis/scheduler-model/wire/task-state.js';

/** The files of a client's allocations. */
export interface AllocationFiles {
  /** Returns the directory of an allocation, whether it exists or not. */
  directoryOf(id: string): string;
  /** Returns the task states of an unfinished allocation; null for any other. */
  taskStatesOf(id: string): Readonly<Record<string, TaskState>> | null;
}

/** The common parts of all reads from an allocation. */
interface ReadRequest {
  readonly id: string;
  readonly root: string;
  readonly parameters: AgentRequest['parameters'];
  readonly signal: AbortSignal;
}

/** Handles requests for the files of an allocation: `logs/<allocation>`, `ls/<allocation>`, … */
export function createFileHandler(files: () => AllocationFiles | null, clock: Clock): AgentHandler {
  return async (rest, { parameters }, signal) => {
    const [, word = '', id = ''] = /^([a-z]+)\/(.+)$/.exec(rest) ?? [];
    const here = files();
    if (here === null) throw notFound('This client has no allocations yet');
    const request = { id, root: here.directoryOf(id), parameters, signal };
    switch (word) {
      case 'logs':
        return readLog(request, here, clock);
      case 'ls':
        return filesResponse(await listDirectory(await filesOf(request), firstParameter(parameters, 'path')));
      case 'stat':
        return filesResponse(await statFile(await filesOf(request), parsePath(parameters)));
      case 'cat':
      case 'readat':
        return readFile(request, here, parsePartParams(parameters), clock);
      case 'stream':
        return readFile(request, here, parseStreamParams(parameters), clock);
      default:
        throw notFound(`This client cannot ${quote(word)} files`);
    }
  };
}

async function readLog(request: ReadRequest, here: AllocationFiles, clock: Clock): Promise<AgentResponse> {
  const query = parseLogParams(request.parameters);
  const { task, stream } = query;
  const state = here.taskStatesOf(request.id)?.[task];
  const missing =
    state !== undefined && state.StartedAt === null
      ? `task ${quote(task)} not started yet. No logs available`
      : `log entry for task ${quote(task)} and log type ${quote(stream)} not found`;
  if (!(await isThere(request.root))) throw notFound(state === undefined ? noFiles : missing);
  const files = await openLogFiles(request.root, task, stream).catch((error: unknown) => {
    const isMissing = error instanceof SchedulerError && error.code === 'not-found';
    throw isMissing ? notFound(missing) : error;
  });
  const sendsPosition = query.limit !== null;
  const shouldYield = (): boolean => (here.taskStatesOf(request.id)?.[task]?.State ?? 'dead') === 'dead';
  return send(files, { ...query, sendsPosition, shouldStop: shouldYield }, missing, {
    clock,
    signal: request.signal,
  });
}

const noFiles = 'The node has no files of this allocation: it has not run there, or they have been removed';

function filesResponse(files: object): AgentResponse {
  return jsonResponse(JSON.stringify(files));
}

async function readFile(
  request: ReadRequest,
  here: AllocationFiles,
  query: FileParams,
  clock: Clock,
): Promise<AgentResponse> {
  const files = await openOneFile(await filesOf(request), query.path);
  const shouldYield = (): boolean => here.taskStatesOf(request.id) === null;
  return send(files, { ...query, shouldStop: shouldYield }, noFiles, { clock, signal: request.signal });
}

/** Returns the directory of the files. @throws SchedulerError `not-found` */
async function filesOf({ root }: ReadRequest): Promise<string> {
  if (await isThere(root)) return root;
  throw notFound(noFiles);
}

async function send(
  files: FileSequence,
  query: FileReading & { readonly plain: boolean; readonly sendsPosition?: boolean },
  missing: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<AgentResponse> {
  const reader = await FileReader.open(files, query).catch(async (error: unknown) => {
    await files.close();
    throw error;
  });
  if (reader === null) {
    await files.close();
    throw notFound(missing);
  }
  const { plain, sendsPosition = false } = query;
  const body = openFileStream(reader, { plain, sendsPosition, clock, signal });
  return { status: 200, headers: new Map([['content-type', 'text/plain; charset=utf-8']]), body };
}
