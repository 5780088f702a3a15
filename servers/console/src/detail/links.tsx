import { addressOf, jobAddress } from '../app/location.js';
import { shortId } from '../text/format.js';
import { UntrustedText } from '../text/untrusted-text.js';

/** Lists whose rows have their own page, identified by ID alone. */
type DetailPage = 'allocations' | 'deployments' | 'evaluations' | 'nodes';

interface RowLinkProps {
  readonly to: DetailPage;
  readonly id: string | null | undefined;
  /** Label shown instead of the ID. */
  readonly name?: string;
}

/** Links to the page of a row; shows a dash if none exists. */
export function RowLink({ to, id, name = '' }: RowLinkProps) {
  if (id === null || id === undefined || id === '') return <span class="quiet">–</span>;
  return (
    <a href={addressOf([to, id])} title={name === '' ? id : ''}>
      <UntrustedText text={name === '' ? shortId(id) : name} />
    </a>
  );
}

/** Returns a link to the page of a row for a list of facts; null if none exists. */
export function rowLinkOrNull(to: DetailPage, id: string | undefined) {
  return id === undefined || id === '' ? null : <RowLink to={to} id={id} />;
}

/** Links to the page of a job. */
export function JobLink({ id, namespace }: { readonly id: string; readonly namespace: string }) {
  return (
    <a href={jobAddress({ ID: id, Namespace: namespace })}>
      <UntrustedText text={id} />
    </a>
  );
}
