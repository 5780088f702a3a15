import { useState } from 'preact/hooks';
import { addressOf } from '../app/location.js';
import { clauseText } from '../detail/clause-text.js';
import { counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

interface AttributeListProps {
  /** Field of a node. A click on a value lists the nodes with the same value. */
  readonly field: 'Attributes' | 'Meta';
  readonly label: string;
  readonly of: Readonly<Record<string, string>> | null;
}

/** Maximum number of entries rendered; the search finds the others. */
const max = 200;
/** Maximum characters of a name and a value in an address. */
const maxClauseLength = 2_000;

/** Shows the attributes of a node, with a search. */
export function AttributeList({ field, label, of }: AttributeListProps) {
  const [text, setText] = useState('');
  const all = Object.entries(of ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  const searchText = text.trim().toLowerCase();
  const found = all.filter(([name, value]) => `${name} ${value}`.toLowerCase().includes(searchText));
  if (all.length === 0) return <p class="quiet">There is nothing.</p>;
  return (
    <>
      <label class="field">
        Search
        <input
          type="search"
          aria-label={`Search in ${label}`}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
          }}
        />
        <span class="quiet">
          {found.length} of {all.length}
        </span>
      </label>
      <dl class="attributes">
        {found.slice(0, max).map(([name, value]) => (
          <div key={name}>
            <dt>
              <UntrustedText text={name} />
            </dt>
            <dd>
              <Value path={[field, name]} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {found.length > max && <p class="quiet">{counted(found.length - max, 'more entry')}</p>}
    </>
  );
}

function Value({ path, value }: { readonly path: readonly string[]; readonly value: string }) {
  const clause = clauseText(path, value);
  if (clause.length > maxClauseLength) return <UntrustedText text={value} isExpandable />;
  return (
    <a href={addressOf(['nodes'], { filter: clause })} title="The nodes that have this too">
      <UntrustedText text={value === '' ? '(empty)' : value} />
    </a>
  );
}
