import { counted } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

/** Maximum rendered entries. Metadata of a job may have thousands. */
const max = 100;

/** Shows untrusted names and values; a dash if none exist. */
export function TextMap({ of }: { readonly of: Readonly<Record<string, string>> | null | undefined }) {
  const entries = Object.entries(of ?? {});
  if (entries.length === 0) return <span class="quiet">–</span>;
  return (
    <ul class="plain">
      {entries.slice(0, max).map(([name, value]) => (
        <li key={name}>
          <UntrustedText text={name} />: <UntrustedText text={value} isExpandable />
        </li>
      ))}
      {entries.length > max && <li>{counted(entries.length - max, 'more entry')}</li>}
    </ul>
  );
}
