import fc from 'fast-check';
import { createNamespace } from '@tamis/scheduler-state/cluster/cluster-rows.js';
import type { ChangeGroup } from '@tamis/scheduler-state/state/change-feed.js';
import type { State } from '@tamis/scheduler-state/state/state.js';

/** The rows that one write changes: a row is deleted if its description is null. */
type Write = ReadonlyMap<string, string | null>;

/** Writes that begin together, whose rows overlap. */
export const concurrentWrites: fc.Arbitrary<readonly Write[]> = fc.array(
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean()), {
      minLength: 1,
      selector: ([name]) => name,
    })
    .map((rows) => new Map(rows.map(([name, isDeleted]) => [name, isDeleted ? null : name]))),
  { minLength: 1, maxLength: 30 },
);

/** The changes of the `namespaces` table in groups, as `name before after`. */
export function changesIn(groups: readonly ChangeGroup[]): string[] {
  return groups.flatMap(({ changes }) =>
    changes.map(({ key, before, after }) => `${key} ${describeRow(before)} ${describeRow(after)}`),
  );
}

/** Runs all writes at once; resolves to the changes that they made, in the order in which they ran. */
export async function runTogether(state: State, writes: readonly Write[]): Promise<string[]> {
  const made = await Promise.all(
    writes.map(async (write, order) =>
      state.write((transaction) => {
        const changes: string[] = [];
        for (const [name, description] of write) {
          const before = transaction.get('namespaces', name);
          if (description === null) transaction.delete('namespaces', name);
          else {
            const row = createNamespace(name, `${description} ${order}`, transaction.index);
            transaction.put('namespaces', row);
          }
          const after = transaction.get('namespaces', name);
          if (before !== null || after !== null) {
            changes.push(`${name} ${describeRow(before)} ${describeRow(after)}`);
          }
        }
        return changes;
      }),
    ),
  );
  return made.flat();
}

function describeRow(row: object | null): string {
  return row === null ? 'nothing' : (row as { readonly Description: string }).Description;
}
