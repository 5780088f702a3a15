import { badRequest, notFound } from '@tamis/scheduler-model/base/errors.js';
import { jsonResponse, type AgentHandler } from '@tamis/scheduler-model/host/agent-service.js';
import { readShape } from '@tamis/scheduler-model/read-shape.js';
import {
  restartCommand,
  restartShape,
  signalCommand,
  signalShape,
  type TaskCommand,
} from './task-commands.js';

/** The allocations of a client, which receive commands for their tasks. */
export interface CommandedAllocations {
  /** @throws SchedulerError `bad-request` if its tasks do not run */
  command(id: string, command: TaskCommand): void;
}

/** Handles commands for tasks of an allocation: `restart/<allocation>`, `signal/<allocation>`. */
export function createCommandHandler(allocations: () => CommandedAllocations | null): AgentHandler {
  return async (rest, { body = '{}', method }) => {
    const [, word = '', id = ''] = /^([a-z]+)\/(.+)$/.exec(rest) ?? [];
    const given: unknown = JSON.parse(body);
    const here = allocations();
    if (here === null || method !== 'PUT') throw badRequest('This client has no allocations yet');
    here.command(id, readCommand(word, given));
    return jsonResponse('{}');
  };
}

function readCommand(word: string, given: unknown): TaskCommand {
  switch (word) {
    case 'restart':
      return restartCommand(readShape(restartShape, given, 'Request body'));
    case 'signal':
      return signalCommand(readShape(signalShape, given, 'Request body'));
    default:
      throw notFound('This client knows no such command');
  }
}
