// A field of a GraphQL schema, over HTTP.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buildSchema, GraphQLError } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { FilterError } from 'tamis';
import { createList, QueryError } from 'tamis/query';
import { access, jobs, teamOf } from './jobs.mjs';

const schema = buildSchema(`
  type Job { ID: ID!, Status: String!, Priority: Int! }
  type Jobs { items: [Job!]!, nextToken: String, total: Int }
  type Query { jobs(filter: String, sort: String, perPage: Int = 20, nextToken: String): Jobs! }
`);
const list = createList(jobs);

/** Returns an error of the query as one that clients may see. */
function publicError(error) {
  if (!(error instanceof FilterError) && !(error instanceof QueryError)) return error;
  const { code, span, suggestions } = error;
  return new GraphQLError(String(error), {
    extensions: { code: 'BAD_USER_INPUT', reason: code, span, suggestions },
  });
}

const rootValue = {
  async jobs({ filter, sort, perPage, nextToken }, { team }, { fieldNodes }) {
    if (team === null)
      throw new GraphQLError('Which team are you?', { extensions: { code: 'UNAUTHENTICATED' } });
    const total = fieldNodes.some((node) =>
      node.selectionSet.selections.some((each) => each.name?.value === 'total'),
    );
    const query = { filter, sort, perPage: Math.min(Math.max(perPage, 1), 100), nextToken, total };
    try {
      const page = await list.page({ ...query, access: access(team) });
      // A total that is a lower bound is an object: { atLeast: 100000 }.
      return { ...page, total: typeof page.total === 'number' ? page.total : null };
    } catch (error) {
      throw publicError(error);
    }
  },
};

export async function start(port = 0) {
  const context = ({ headers }) => ({ team: teamOf(headers.authorization) });
  const server = createServer(createHandler({ schema, rootValue, context }));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}
