import { useRef } from 'preact/hooks';
import type { Playground } from '../state/playground.js';

/** A field to paste rows into. */
export function PasteDialog({ playground }: { readonly playground: Playground }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const load = (): void => {
    const text = field.current?.value ?? '';
    dialog.current?.close();
    void playground.load({ kind: 'text', name: 'pasted rows', text });
  };
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Paste…
      </button>
      <dialog ref={dialog} aria-labelledby="paste-title">
        <h2 id="paste-title">Paste rows</h2>
        <p class="quiet">
          A JSON array, one JSON object on each line, or CSV with a line of names. Nothing leaves your
          browser.
        </p>
        <textarea ref={field} rows={14} aria-label="Rows" spellcheck={false} autofocus />
        <p class="tools">
          <button type="button" class="primary" onClick={load}>
            Use these rows
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </p>
      </dialog>
    </>
  );
}
