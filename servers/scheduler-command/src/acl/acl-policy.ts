import { sanitizeForTerminal, sanitizeLines } from '../terminal/escape-terminal.js';
import { fieldLines } from '../terminal/table.js';
import type { Given } from '../given.js';
import { writeResponse, type Session } from '../session.js';

interface Policy {
  readonly Name: string;
  readonly Description: string;
  readonly Rules?: string;
}

function policyPath(name: string): string {
  return `/v1/acl/policy/${encodeURIComponent(name)}`;
}

/** `acl policy read` */
export async function readPolicy(session: Session, given: Given): Promise<void> {
  const { body } = await session.api.get<Policy>(policyPath(given.required('NAME')));
  const { Name, Description, Rules = '' } = body;
  const fields = [
    ['Name', Name],
    ['Description', Description],
  ] as const;
  await writeResponse(session, body, () => [
    ...fieldLines(fields, session.layout),
    '',
    sanitizeLines(Rules.trimEnd()),
  ]);
}

/** `acl policy apply` */
export async function applyPolicy(session: Session, given: Given): Promise<void> {
  const Name = given.required('NAME');
  const Rules = (await session.readFile(given.required('FILE'))).toString('utf8');
  await session.api.put(policyPath(Name), { Name, Description: given.text('description') ?? '', Rules });
  if (!session.isJson) await session.out.write(`${sanitizeForTerminal(Name)} written\n`);
}

/** `acl policy delete` */
export async function deletePolicy(session: Session, given: Given): Promise<void> {
  const name = given.required('NAME');
  await session.api.delete(policyPath(name));
  if (!session.isJson) await session.out.write(`${sanitizeForTerminal(name)} deleted\n`);
}
