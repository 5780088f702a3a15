import { addressOf, jobAddress } from '../app/location.js';
import { shortId } from '../text/format.js';
import { OutsideText } from '../text/outside-text.js';

/** The lists whose rows have a page of their own, by an ID alone. */
type Place = 'allocations' | 'deployments' | 'evaluations' | 'nodes';

interface RowLinkProps {
  readonly to: Place;
  readonly id: string | null | undefined;
  /** The label shown instead of the ID. */
  readonly name?: string;
}

/** A link to the page of a row; a dash if there is none. */
export function RowLink({ to, id, name = '' }: RowLinkProps) {
  if (id === null || id === undefined || id === '') return <span class="quiet">–</span>;
  return (
    <a href={addressOf([to, id])} title={name === '' ? id : ''}>
      <OutsideText text={name === '' ? shortId(id) : name} />
    </a>
  );
}

/** A link to the page of a job. */
export function JobLink({ id, namespace }: { readonly id: string; readonly namespace: string }) {
  return (
    <a href={jobAddress({ ID: id, Namespace: namespace })}>
      <OutsideText text={id} />
    </a>
  );
}
