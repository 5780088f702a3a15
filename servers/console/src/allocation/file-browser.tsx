import type { FileEntry } from '@tamis/scheduler-model/wire/file-entry.js';
import { useEffect, useState } from 'preact/hooks';
import type { ApiFailure } from '../api/api-failure.js';
import { useConsole } from '../app/console.js';
import { FailureNotice } from '../app/failure-notice.js';
import { addressOf } from '../app/location.js';
import { useReading } from '../live/use-reading.js';
import { DataTable } from '../table/data-table.js';
import type { Column } from '../table/column.js';
import { counted, countText } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';
import { visibleParts } from '../text/visible-text.js';

interface FileBrowserProps {
  readonly allocation: string;
  /** Path relative to the directory of the allocation, such as `alloc/logs`; empty for the directory itself. */
  readonly path: string;
  /** Whether it is a file instead of a directory. */
  readonly isFile: boolean;
}

const right = 'read-fs in its namespace';

/** Shows the files of an allocation, one directory at a time. */
export function FileBrowser({ allocation, path, isFile }: FileBrowserProps) {
  const parts = path.split('/').filter((part) => part !== '');
  return (
    <>
      <p class="path">
        <a href={fileAddress(allocation, '', false)}>files</a>
        {parts.map((part, at) => (
          <span key={at}>
            {' / '}
            {at === parts.length - 1 ? (
              <UntrustedText text={part} />
            ) : (
              <a href={fileAddress(allocation, parts.slice(0, at + 1).join('/'), false)}>
                <UntrustedText text={part} />
              </a>
            )}
          </span>
        ))}
      </p>
      {isFile ? (
        <FileText key={path} allocation={allocation} path={path} />
      ) : (
        <Folder key={path} allocation={allocation} path={path} />
      )}
    </>
  );
}

function fileAddress(allocation: string, path: string, isFile: boolean): string {
  return addressOf(['allocations', allocation], { view: 'files', path, kind: isFile ? 'file' : '' });
}

function Folder({ allocation, path }: { readonly allocation: string; readonly path: string }) {
  const { value, failure, refresh } = useReading<readonly FileEntry[]>({
    path: `/v1/client/fs/ls/${encodeURIComponent(allocation)}`,
    query: { path: `/${path}` },
    topics: [],
  });
  const columns: readonly Column<FileEntry>[] = [
    {
      title: 'Name',
      width: 'minmax(20ch, 3fr)',
      render: ({ Name, IsDir }) => (
        <a href={fileAddress(allocation, path === '' ? Name : `${path}/${Name}`, !IsDir)}>
          <UntrustedText text={IsDir ? `${Name}/` : Name} />
        </a>
      ),
    },
    {
      title: 'Bytes',
      width: '14ch',
      isNumeric: true,
      render: ({ IsDir, Size }) => (IsDir ? '' : countText(Size)),
    },
    { title: 'Mode', width: '12ch', render: ({ FileMode }) => <UntrustedText text={FileMode} />, from: 600 },
    { title: 'Changed', width: '26ch', render: ({ ModTime }) => <UntrustedText text={ModTime} />, from: 900 },
  ];
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} what="these files" right={right} />}
      {value?.length === 0 && <p class="quiet">There is nothing in it.</p>}
      {value !== null && value.length > 0 && (
        <DataTable label="Files" columns={columns} rows={value} keyOf={({ Name }) => Name} />
      )}
      <p>
        <button type="button" onClick={refresh}>
          Read again
        </button>
      </p>
    </>
  );
}

/** Number of bytes of a file shown at a time. */
const partSize = 32 * 1_024;

function FileText({ allocation, path }: { readonly allocation: string; readonly path: string }) {
  const { api } = useConsole();
  const [offset, setOffset] = useState(0);
  const [text, setText] = useState<string | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const about = useReading<FileEntry>({
    path: `/v1/client/fs/stat/${encodeURIComponent(allocation)}`,
    query: { path: `/${path}` },
    topics: [],
  });
  useEffect(() => {
    const end = new AbortController();
    const query = { path: `/${path}`, offset: String(offset), limit: String(partSize) };
    void api
      .text(`/v1/client/fs/readat/${encodeURIComponent(allocation)}`, { query, signal: end.signal })
      .then((result) => {
        if (end.signal.aborted) return;
        setFailure(result.ok ? null : result.failure);
        if (result.ok) setText(result.value);
      });
    return () => {
      end.abort();
    };
  }, [offset]);
  const size = about.value?.Size ?? 0;
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} what="this file" right={right} />}
      <div class="log-bar">
        <p>{counted(size, 'byte')}</p>
        {size > partSize && (
          <>
            <p>
              shown from {countText(offset)} to {countText(Math.min(offset + partSize, size))}
            </p>
            <button
              type="button"
              disabled={offset === 0}
              onClick={() => {
                setOffset(Math.max(0, offset - partSize));
              }}
            >
              Before
            </button>
            <button
              type="button"
              disabled={offset + partSize >= size}
              onClick={() => {
                setOffset(offset + partSize);
              }}
            >
              After
            </button>
          </>
        )}
      </div>
      {text !== null && <FileLines text={text} />}
    </>
  );
}

/** Shows the lines of a part of a file; invisible characters are shown by name. */
function FileLines({ text }: { readonly text: string }) {
  return (
    <pre class="file-text" role="region" aria-label="File" tabIndex={0}>
      {text.split('\n').map((line, at) => (
        <bdi key={at} dir="auto">
          {visibleParts(line.replaceAll('\t', '    ')).map(({ text: part, isInvisible }, index) =>
            isInvisible ? (
              <span key={index} class="invisible-character">
                {part}
              </span>
            ) : (
              part
            ),
          )}
          {'\n'}
        </bdi>
      ))}
    </pre>
  );
}
