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

/** Runs commands on the tasks of the allocations of a client. */
export interface AllocationCommands {
  /** @throws SchedulerError `bad-request` if its tasks do not run */
  command(id: string, command: TaskCommand): void;
}

/** Handles commands for tasks of an allocation: `restart/<allocation>`, `signal/<allocation>`. */
export function createCommandHandler(allocations: () => AllocationCommands | null): AgentHandler {
  return async (rest, { body = '{}', method }) => {
    const [, command = '', id = ''] = /^([a-z]+)\/(.+)$/.exec(rest) ?? [];
    const given: unknown = JSON.parse(body);
    const local = allocations();
    if (local === null || method !== 'PUT') throw badRequest('This client has no allocations yet');
    local.command(id, readCommand(command, given));
    return jsonResponse('{}');
  };
}

function readCommand(command: string, given: unknown): TaskCommand {
  switch (command) {
    case 'restart':
      return restartCommand(readShape(restartShape, given, 'Request body'));
    case 'signal':
      return signalCommand(readShape(signalShape, given, 'Request body'));
    default:
      throw notFound('This client knows no such command');
  }
}
