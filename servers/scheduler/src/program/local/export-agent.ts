import type { ApiOptions } from '@tamis/scheduler-command/api/api-client.js';
import { maxLineLength, splitLines } from '@tamis/scheduler-state/progress/lines.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';

export type ExportAgentRequest = Pick<ApiOptions, 'address' | 'token' | 'fetch'>;

const path = '/v1/operator/export';
/** Content type of the lines. */
const lineType = 'application/x-ndjson';

/**
 * Returns the lines of an export from a running agent: one consistent state, however long it takes. Both sides buffer only the
 * data in transit.
 *
 * @throws CommandError if the agent cannot be reached, refuses, or ends too early.
 */
export async function* exportAgent(request: ExportAgentRequest): AsyncGenerator<string> {
  const url = `${request.address.replace(/\/+$/, '')}${path}`;
  try {
    const body = await fetchExport(request, url);
    yield* splitLines(
      body,
      () => new CommandError(`${url} sends a line of more than ${maxLineLength} characters`),
    );
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = reasonOf(cause);
    throw new CommandError(`${url} cannot be read: ${reason}`);
  }
}

/** @throws CommandError, and the errors of `fetch` */
async function fetchExport(
  { token, fetch }: ExportAgentRequest,
  url: string,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(url, {
    headers: {
      // Compressing it would take the agent longer than sending it.
      'accept-encoding': 'identity',
      ...(token === null ? {} : { 'x-scheduler-token': token }),
    },
    redirect: 'error',
  });
  const { body, headers, status } = response;
  if (status === 404) {
    throw new CommandError(`${url} is not there: it is no scheduler, or one of a version without exports`);
  }
  if (status !== 200) {
    const text = (await response.text()).slice(0, 200).trim();
    throw new CommandError(`${path} returns ${status}: ${text}`);
  }
  if (body === null || headers.get('content-type')?.split(';')[0] !== lineType) {
    throw new CommandError(`${url} is no export: is it a scheduler?`);
  }
  return body;
}
