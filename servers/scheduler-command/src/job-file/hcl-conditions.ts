import { block, bool, converted, text, type Fields, type Reader } from '@tamis/config';
import type { JobDefinition } from './job-definition.js';

/** Operators that can be a key with the value to compare: `version = ">= 1.2"`. */
const operators = [
  'regexp',
  'version',
  'semver',
  'set_contains',
  'set_contains_all',
  'set_contains_any',
] as const;

const shorthand: Fields = {
  ...Object.fromEntries(operators.map((operator) => [operator, text({ scalars: true })])),
  distinct_hosts: bool(),
  distinct_property: text(),
};

/** Reads constraints or affinities, with the operator as a key or as the value of `operator`. */
export function readConditions(
  fields: Fields,
  rename: (values: JobDefinition) => JobDefinition,
): Reader<JobDefinition> {
  return converted(block({ ...fields, ...shorthand }), (values: JobDefinition, refuse) => {
    const given = Object.keys(shorthand).filter((key) => values[key] !== undefined);
    const [operator, other] = given;
    if (other !== undefined) return refuse(`${operator} and ${other} exclude each other`);
    // Most conditions have the default operator.
    if (operator === undefined) return { Operand: '=', ...rename(values) };
    if (values['operator'] !== undefined) return refuse(`${operator} and operator exclude each other`);
    const value = values[operator];
    const condition = { ...rename(values), Operand: operator };
    switch (operator) {
      case 'distinct_hosts':
        return { ...condition, RTarget: String(value) };
      case 'distinct_property':
        return { ...condition, LTarget: value };
      default:
        return { ...condition, RTarget: value };
    }
  });
}
