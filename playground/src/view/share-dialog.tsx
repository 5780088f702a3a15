import { useRef, useState } from 'preact/hooks';
import {
  maxFragmentLength,
  maxFragmentLengthWithRows,
  maxSharedCharacters,
  writeFragment,
} from '../share/fragment.js';
import type { Playground } from '../state/playground.js';
import { countText } from './numbers.js';

type Link = { readonly address: string } | { readonly reason: string } | null;

/** Creates a link that carries the filter and the schema, and the rows if the user includes them. */
export function ShareDialog({ playground }: { readonly playground: Playground }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [withRows, setWithRows] = useState(false);
  const [link, setLink] = useState<Link>(null);
  const [isCopied, setIsCopied] = useState(false);
  const make = async (rowsToo: boolean): Promise<void> => {
    setIsCopied(false);
    setWithRows(rowsToo);
    setLink(await makeLink(playground, rowsToo));
  };
  const copy = async (address: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      setIsCopied(true);
    } catch {
      // Not allowed here: the address is in the field, selected.
      dialog.current?.querySelector<HTMLTextAreaElement>('#share-link')?.select();
    }
  };
  return (
    <>
      <button
        type="button"
        onClick={() => {
          dialog.current?.showModal();
          void make(false);
        }}
      >
        Share…
      </button>
      <dialog ref={dialog} aria-labelledby="share-title">
        <h2 id="share-title">Share this filter</h2>
        <p class="quiet">
          The link carries the filter and the schema behind its <code>#</code>, which browsers send to no
          server.
        </p>
        <p>
          <label>
            <input
              type="checkbox"
              checked={withRows}
              disabled={playground.dataset.value === null}
              onChange={(event) => void make(event.currentTarget.checked)}
            />{' '}
            With the rows: whoever has the link can read them
          </label>
        </p>
        {link !== null && 'reason' in link && (
          <p class="error" role="alert">
            {link.reason}
          </p>
        )}
        {link !== null && 'address' in link && (
          <textarea id="share-link" aria-label="Link" readOnly rows={4} value={link.address} />
        )}
        <p class="tools">
          {link !== null && 'address' in link && (
            <>
              <button type="button" class="primary" onClick={() => void copy(link.address)}>
                {isCopied ? 'Copied' : 'Copy link'}
              </button>
              <span class="quiet">{countText(link.address.length)} characters</span>
            </>
          )}
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </p>
      </dialog>
    </>
  );
}

async function makeLink({ text, schema, engine }: Playground, withRows: boolean): Promise<Link> {
  const rows = withRows ? await engine.call('rowsText', maxSharedCharacters) : null;
  const max = withRows ? maxFragmentLengthWithRows : maxFragmentLength;
  const fragment =
    withRows && rows === null
      ? null
      : await writeFragment({ filter: text.value, schema: schema.value, rows });
  if (fragment !== null) {
    const address = new URL(location.href);
    address.hash = fragment;
    return { address: address.href };
  }
  const what = withRows ? 'the rows do not fit' : 'the filter and its schema do not fit';
  return { reason: `A link may have ${countText(max)} characters, and ${what}.` };
}
