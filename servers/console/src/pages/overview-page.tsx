import { addressOf } from '../app/location.js';

/** Where the console begins. */
export function OverviewPage() {
  return (
    <>
      <h1>Overview</h1>
      <p>
        <a href={addressOf(['jobs'])}>Jobs</a>
      </p>
    </>
  );
}
