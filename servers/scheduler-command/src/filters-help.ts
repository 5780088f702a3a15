import { defineSchema, t } from 'tamis';
import { complete } from 'tamis/editor';

/** A schema with a field of each type with different operators, which the engine lists. */
const schema = defineSchema({
  Text: t.string,
  List: t.list(t.string),
  Block: t.nullable(t.struct({ Name: t.string })),
});

/** Returns the engine's completions after each type of field and after a value, with descriptions. */
function operatorLines(): string {
  const meanings = new Map<string, Set<string>>();
  for (const begun of ['Text ', 'List ', 'Block ', '"x" '])
    for (const { label, detail = '' } of complete(begun, begun.length, { schema }).items)
      meanings.set(label, (meanings.get(label) ?? new Set()).add(detail));
  return [...meanings]
    .map(([operator, said]) => `  ${operator.padEnd(16)} ${[...said].join('; ')}`)
    .join('\n');
}

/** Returns the help on filters, with the operators of the engine. */
export function filtersHelp(): string {
  return `A filter is a condition on one object, after --filter, or percent-encoded as ?filter= of a list. The fields are those
of the whole object (scheduler job status ID --json), not only those that the list shows.

Operators after a field, or (in, not in) between a value and a field:

${operatorLines()}

Conditions:

  Status == "running" and Priority >= 80                    and, or, not (..)
  Status in ["pending", "dead"]                             one of several
  Name starts with "web-" and Name not like "*-test"        beginnings, ends, * and ?
  ID matches "^web-[0-9]+"                                  regular expressions (RE2)
  "dc1" in Datacenters                                      elements of lists, keys of maps, parts of text
  Periodic is not nil and Periodic.Enabled == true          blocks that may not be there
  len(TaskGroups) > 1                                       how many
  SubmitTime > now - 10m                                    times: s, m, h, d; or "2026-11-01T08:00:00Z"
  Status == "RUNNING"i                                      upper and lower case alike
  Name != @ID                                               another field of the same object

Fields within fields:

  Meta.owner == "search"                                    a key of a map
  Meta["cost.center"] == "42"                               a key that is no plain name
  TaskGroups.0.Count > 1                                    an element of a list by its position
  any TaskGroups as g { g.Count > 1 }                       some element, or all of them: all .. as g { .. }
  any Meta as k, v { k == "owner" and v == "search" }       key and value of a map; position and element of a list

A single word needs no quotes. Numbers may be quoted or not. A mistake is reported with its position, and
with what was meant.

  curl -s --get localhost:4646/v1/jobs --data-urlencode 'filter=Priority == 80'
  scheduler job status --filter 'Priority == 80'
`;
}
