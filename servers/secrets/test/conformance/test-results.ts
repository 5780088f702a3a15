/** What became of one test. */
export interface TestResult {
  /** Its own name after those of its groups. */
  readonly name: string;
  readonly passed: boolean;
  readonly messages: readonly string[];
}

interface Report {
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
}

/** Reads the JSON report of a test run. */
export function readReport(text: string): readonly TestResult[] {
  const { testResults } = JSON.parse(text) as Report;
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: fullName,
      passed: status === 'passed',
      messages: failureMessages ?? [],
    })),
  );
}

/** How a case went: by all the tests that carry its id as a word of their names. */
export type Verdict =
  | { readonly kind: 'passed'; readonly tests: number }
  | { readonly kind: 'failed'; readonly tests: readonly TestResult[] }
  | { readonly kind: 'untested' };

export function judge(id: string, results: readonly TestResult[]): Verdict {
  const word = new RegExp(`(?<![\\w-])${id.replace(/[^\w]/g, '\\$&')}(?![\\w-])`);
  const tests = results.filter(({ name }) => word.test(name));
  const failed = tests.filter(({ passed }) => !passed);
  if (tests.length === 0) return { kind: 'untested' };
  return failed.length > 0 ? { kind: 'failed', tests: failed } : { kind: 'passed', tests: tests.length };
}
