import { fieldLines } from '../terminal/table.js';
import { CommandError } from '../command-error.js';
import { listStubs } from '../find-object.js';
import type { Given } from '../given.js';
import { writeResponse, type Session } from '../session.js';
import { endOf, type TokenView } from '../views/shown-token.js';

/** `acl bootstrap` */
export async function bootstrap(session: Session): Promise<void> {
  const token = await session.api.put<TokenView>('/v1/acl/bootstrap');
  await writeToken(session, token, true);
  await session.err.write(
    'Its secret is shown this one time: put it into a file of mode 0600 that SCHEDULER_TOKEN_FILE names.\n',
  );
}

/** `acl token read` */
export async function readToken(session: Session, given: Given): Promise<void> {
  const accessor = await findAccessor(session, given.required('ACCESSOR'));
  const { body } = await session.api.get<TokenView>(`/v1/acl/token/${accessor}`);
  return writeToken(session, body, given.has('secret'));
}

/** `acl token self` */
export async function readSelf(session: Session): Promise<void> {
  return writeToken(session, (await session.api.get<TokenView>('/v1/acl/token/self')).body, false);
}

/** `acl token create` */
export async function createToken(session: Session, given: Given): Promise<void> {
  const token = await session.api.put<TokenView>('/v1/acl/token', {
    ...{
      Name: given.text('name') ?? '',
      Type: given.text('type') ?? 'client',
      Policies: given.texts('policy'),
    },
    ...(given.text('ttl') === null ? {} : { ExpirationTTL: given.text('ttl') }),
  });
  await writeToken(session, token, true);
  await warnOfMissing(session, given.texts('policy'));
}

/** Policies may be created after their tokens; an unknown name grants nothing, and may be a typing error. */
async function warnOfMissing({ api, err }: Session, policies: readonly string[]): Promise<void> {
  if (policies.length === 0) return;
  const { body } = await api.get<readonly { readonly Name: string }[]>('/v1/acl/policies');
  const known = new Set(body.map(({ Name }) => Name));
  for (const name of policies) {
    if (!known.has(name)) await err.write(`warning: there is no policy ${JSON.stringify(name)} yet\n`);
  }
}

/** `acl token delete` */
export async function deleteToken(session: Session, given: Given): Promise<void> {
  const accessor = await findAccessor(session, given.required('ACCESSOR'));
  const isLast = await isLastManagement(session, accessor);
  await session.api.delete(`/v1/acl/token/${accessor}`);
  if (isLast) await session.err.write(`warning: ${accessor} was the last management token\n`);
  if (!session.isJson) await session.out.write(`${accessor} deleted\n`);
}

async function isLastManagement({ api }: Session, accessor: string): Promise<boolean> {
  const query = { filter: 'Type == "management"', per_page: 2 };
  const { body } = await api.get<readonly TokenView[]>('/v1/acl/tokens', query);
  return body.length === 1 && body[0]?.AccessorID === accessor;
}

async function findAccessor({ api }: Session, prefix: string): Promise<string> {
  const { body } = await api.get<readonly TokenView[]>('/v1/acl/tokens', { prefix, per_page: 11 });
  const [only, ...others] = body;
  if (only === undefined)
    throw new CommandError(`There is no token whose accessor begins with ${JSON.stringify(prefix)}`);
  if (others.length === 0) return only.AccessorID;
  const stubs = body.map(({ AccessorID, Name }) => ({ ID: AccessorID, Name }));
  throw new CommandError(`Several tokens have accessors that begin so:\n${listStubs(stubs)}`);
}

/** @param withSecret prints the secret: set it only if requested, or if the secret cannot be read later. */
async function writeToken(session: Session, token: TokenView, withSecret: boolean): Promise<void> {
  const { SecretID, ...printed } = token;
  const fields = [
    ['Accessor', token.AccessorID],
    ['Secret', withSecret ? (SecretID ?? '') : ''],
    ['Name', token.Name],
    ['Type', token.Type],
    ['Policies', (token.Policies ?? []).join(', ')],
    ['Ends', endOf(session, token.ExpirationTime)],
  ] as const;
  await writeResponse(session, withSecret ? token : printed, () => fieldLines(fields, session.layout));
}
