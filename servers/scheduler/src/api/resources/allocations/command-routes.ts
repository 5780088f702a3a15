import type { Access } from '../../../services/acl/access.js';
import {
  restartCommand,
  restartShape,
  signalCommand,
  signalShape,
  type TaskCommand,
} from '@tamis/scheduler-node/task-commands.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { readBody } from '../../kernel/requests/body.js';
import { passOn } from '../../kernel/agent-target.js';
import { allocationRight } from './allocation-routes.js';
import type { HttpContext, ClusterRoute } from '../../kernel/context.js';
import { findNodeOf, requireTask } from './node-of-allocation.js';
import { defineRoute } from '../../kernel/pipeline.js';
import type { Call } from '../../kernel/route.js';
import { hasBody } from '../../lists/write-route.js';

/** Declaration of a command for the tasks of an allocation. */
interface CommandDefinition {
  readonly word: TaskCommand['kind'];
  readonly summary: string;
  readonly body: { readonly schema: string; readonly required: boolean };
  /** Parses the command and builds the request for the node. @throws SchedulerError, RequestError */
  readonly parse: (call: Call) => { readonly command: TaskCommand; readonly parameters: object };
}

interface CommandRequest {
  /** ID of the allocation. */
  readonly id: string;
  readonly command: TaskCommand;
  readonly parameters: object;
}

/** A command is sent to the node of the allocation, which reports the outcome as events. */
function commandRoute({ body, parse, summary, word }: CommandDefinition): ClusterRoute {
  return defineRoute<HttpContext, Access, CommandRequest, Allocation>({
    method: 'put',
    path: `/v1/client/allocation/{alloc_id}/${word}`,
    summary,
    tag: 'allocations',
    right: allocationRight('alloc-lifecycle'),
    parameters: ['region'],
    body,
    response: { kind: 'document' },
    failures: [404, 429],
    open: (context) => ({
      parse: (call) => ({ id: call.id, ...parse(call) }),
      handle({ id, command, parameters }, allocation, call) {
        if (command.task !== null) requireTask(allocation, command.task);
        const params = {
          method: 'PUT',
          path: `allocation/${word}/${id}`,
          parameters: new Map<string, readonly string[]>(),
          body: JSON.stringify(parameters),
        } as const;
        return passOn(context.agent, call, findNodeOf(context, allocation), params);
      },
    }),
  });
}

/** The commands for the tasks of allocations. */
export const commandRoutes: readonly ClusterRoute[] = [
  commandRoute({
    word: 'restart',
    summary: 'Restart the tasks of an allocation, or one of them',
    body: { schema: 'TaskRestart', required: false },
    parse({ request }) {
      const parameters = hasBody(request) ? readBody(restartShape, request.body) : {};
      return { parameters, command: restartCommand(parameters) };
    },
  }),
  commandRoute({
    word: 'signal',
    summary: 'Send a signal to the tasks of an allocation, or to one of them',
    body: { schema: 'TaskSignal', required: true },
    parse({ request }) {
      const parameters = readBody(signalShape, request.body);
      return { parameters, command: signalCommand(parameters) };
    },
  }),
];
