import { writeJson } from '@tamis/http';
import { sanitizeLines } from '../terminal/escape-terminal.js';
import { exitCodes } from '../exit-codes.js';
import type { Given } from '../given.js';
import type { Session } from '../session.js';
import { namespaceOf, readJobArgument, writeWarnings } from './read-job.js';

interface Validation {
  readonly Error: string;
  readonly Warnings: string;
  readonly ValidationErrors: readonly string[] | null;
}

/** `job validate` */
export async function validateJob(session: Session, given: Given): Promise<number> {
  const { api, err, isJson, namespace, out, palette } = session;
  const file = await readJobArgument(session, given);
  await namespaceOf(session, file.job);
  const found = await file.send(() =>
    api.put<Validation>('/v1/validate/job', { Job: file.job }, { namespace }),
  );
  const isRight = found.Error === '';
  if (isJson) await out.write(`${writeJson(found, 2)}\n`);
  else {
    await writeWarnings(session, found.Warnings, file);
    if (isRight) await out.write(`${palette.good('no mistakes')}\n`);
    else await err.write(`${palette.bad('error:')} ${sanitizeLines(file.explain(found.Error))}\n`);
  }
  return isRight ? 0 : exitCodes.failed;
}
