// The table of all examples in this folder, and the rights of its callers: each team sees its own jobs.
import { defineSchema, t } from 'tamis';
import { definePolicy } from 'tamis/access';
import { HttpError } from 'tamis/http';
import { createTable } from 'tamis/table';

const schema = defineSchema({
  ID: t.string,
  Team: t.string,
  Status: t.oneOf('running', 'dead'),
  Priority: t.int,
});
export const jobs = createTable(schema, { key: 'ID', indexes: ['Team'], sorts: ['Priority'], firstIndex: 1 });
jobs.putAll([
  { ID: 'api', Team: 'web', Status: 'running', Priority: 70 },
  { ID: 'etl', Team: 'data', Status: 'running', Priority: 50 },
  { ID: 'mail', Team: 'web', Status: 'dead', Priority: 30 },
  { ID: 'site', Team: 'web', Status: 'running', Priority: 10 },
]);

const policy = definePolicy({
  schema,
  caller: defineSchema({ team: t.string }),
  actions: ['read'],
  rules: [{ effect: 'allow', actions: ['read'], when: 'Team == @caller.team' }],
});

const teams = new Map([
  ['Bearer w', 'web'],
  ['Bearer d', 'data'],
]);

/** Returns the team that an Authorization header identifies; null for an unknown one. */
export const teamOf = (authorization) => teams.get(authorization) ?? null;

/** Returns the rows that a team may see, for `listEndpoint` and the queries of `createList`. */
export const access = (team) => policy.access({ team }, 'read');

/** The options of `listEndpoint`. */
export const options = {
  caller(head) {
    const team = teamOf(head.header('authorization'));
    if (team === null) throw new HttpError(401, 'Which team are you?', { 'WWW-Authenticate': 'Bearer' });
    return team;
  },
  access,
  fields: ['ID', 'Status', 'Priority'], // the team can neither be read nor filtered by
  maxPerPage: 100,
};
