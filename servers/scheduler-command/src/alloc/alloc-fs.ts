import type { FileEntry } from '@tamis/scheduler-model/wire/file-entry.js';
import { formatAge } from '../terminal/ages.js';
import { fieldLines, tableLines, type Column } from '../terminal/table.js';
import { createTerminalText } from '../terminal/terminal-text.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { writeResponse, type Session } from '../session.js';

/** `alloc fs`: lists a directory of an allocation, or prints a file. */
export async function printFiles(session: Session, given: Given): Promise<void> {
  const { api, layout, out } = session;
  const id = await findId(session, 'allocation', given.required('ALLOC'));
  const path = given.argument('PATH') ?? '/';
  const { body: file } = await api.get<FileEntry>(`/v1/client/fs/stat/${id}`, { path });
  if (given.has('stat'))
    return writeResponse(session, file, () => fieldLines(fieldsOf(session, file), layout));
  if (file.IsDir) {
    const { body } = await api.get<readonly FileEntry[]>(`/v1/client/fs/ls/${id}`, { path });
    return writeResponse(session, body, () => tableLines(columns(session), body, layout));
  }
  const print = out.isTerminal ? createTerminalText() : null;
  for await (const piece of await api.stream(`/v1/client/fs/cat/${id}`, { path }))
    await out.write(print === null ? piece : print.add(piece));
  if (print !== null) await out.write(print.end());
}

function columns({ now }: Session): readonly Column<FileEntry>[] {
  return [
    { title: 'MODE', cell: ({ FileMode }) => FileMode },
    { title: 'SIZE', cell: ({ Size }) => String(Size) },
    { title: 'CHANGED', cell: ({ ModTime }) => formatAge(Date.parse(ModTime), now()), isOptional: true },
    { title: 'NAME', cell: ({ IsDir, Name }) => `${Name}${IsDir ? '/' : ''}`, isWhole: true },
  ];
}

function fieldsOf({ now }: Session, { FileMode, ModTime, Name, Size }: FileEntry) {
  return [
    ['Name', Name, 'whole'],
    ['Mode', FileMode],
    ['Size', String(Size)],
    ['Changed', formatAge(Date.parse(ModTime), now())],
  ] as const;
}
