/** The type of a conformance check: data that any test runner can run. */

/** One rule of a port, and its test. */
export interface Check<Subject> {
  /** Never changes and is never given to another check, so that reports can be compared over time. */
  readonly id: string;
  /** `MUST`: the core relies on it. `SHOULD`: the core works without it, but its users are worse off. */
  readonly level: 'MUST' | 'SHOULD';
  /** The rule, as a sentence about the subject. */
  readonly name: string;
  /**
   * @param make makes a new, empty subject; the check closes what it made
   * @throws AssertionError when the subject breaks the rule
   */
  run(make: () => Subject | Promise<Subject>): Promise<void>;
}

/** A check that the core relies on, which makes its subjects itself. */
export function must<Subject>(id: string, name: string, run: Check<Subject>['run']): Check<Subject> {
  return { id, level: 'MUST', name, run };
}

/** A check that the core relies on, which runs on one new subject and always closes it. */
export function check<Subject extends { close(): Promise<void> }>(
  id: string,
  name: string,
  body: (subject: Subject) => Promise<void>,
): Check<Subject> {
  return must(id, name, async (make) => {
    const subject = await make();
    try {
      await body(subject);
    } finally {
      await subject.close();
    }
  });
}
