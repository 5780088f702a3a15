import { SecretsError } from '../../errors.js';
import type { MethodRequest, MethodRoute } from '../method.js';
import { isRoleName } from './role.js';

type Operation = MethodRequest['operation'];
/** What an operation needs; whether a write creates or updates is for the storage to tell. */
type Need = MethodRoute['capability'] | 'create-or-update';
type Operations = Partial<Record<Operation, Need>>;

const objectOperations: Operations = { read: 'read', write: 'create-or-update', delete: 'delete' };

const fixedPaths: ReadonlyMap<string, Operations> = new Map([
  ['config', objectOperations],
  ['rotate-root', { write: 'update' }],
  ['login', { write: null }],
  ['role', { list: 'list' }],
  ['role/', { list: 'list' }],
]);

/**
 * What an operation on a path of the method needs.
 *
 * @throws SecretsError `unsupported-path`, or `unsupported-operation` for a path that has others.
 */
export function needOf(operation: Operation, path: string): Need {
  const operations = fixedPaths.get(path) ?? (isRoleName(roleName(path)) ? objectOperations : null);
  if (operations === null) throw new SecretsError('unsupported-path', 'unsupported path');
  const need = operations[operation];
  if (need === undefined) throw new SecretsError('unsupported-operation', 'unsupported operation');
  return need;
}

/** The name in `role/NAME`; empty, which is no name, for other paths. */
export function roleName(path: string): string {
  return path.startsWith('role/') ? path.slice('role/'.length) : '';
}
