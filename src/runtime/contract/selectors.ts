/** Selectors of operations, which hooks, tools for models and all commands take: `tag:NAME`, `operation:ID`, `path:/users/**`, `method:GET`. */

export type Selector = `${'tag' | 'operation' | 'path' | 'method'}:${string}`;

/** The choice of operations: those that one of `only` selects, without those that one of `except` selects. */
export interface OperationChoice {
  /** Default: all. */
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}

/** The parts of an operation by which it is selected. */
export interface Selectable {
  readonly id: string | undefined;
  readonly tags: readonly string[];
  readonly method: string;
  /** The path template. */
  readonly path: string;
}

type Test = (operation: Selectable) => boolean;

/** The operations that a selector selects; undefined for a text that is no selector. */
export function selectorTest(selector: string): Test | undefined {
  const [, kind, name = ''] =
    /^(tag|operation|method):(.+)$/s.exec(selector) ?? /^(path):(\/.*)$/s.exec(selector) ?? [];
  if (kind === 'tag') return ({ tags }) => tags.includes(name);
  if (kind === 'operation') return ({ id }) => id === name;
  if (kind === 'method') return ({ method }) => method.toUpperCase() === name.toUpperCase();
  if (kind === undefined) return undefined;
  const steps = name.slice(1).split('/').map(patternOf);
  const pattern = new RegExp(`^${steps.join('')}$`, 's');
  return ({ path }) => pattern.test(path);
}

/** A step of a path, in which `*` is for any text, or with `**` any number of steps. */
function patternOf(step: string): string {
  if (step === '**') return '(?:/[^/]*)*';
  return `/${step.replaceAll(/[^\w*]/g, String.raw`\$&`).replaceAll('*', '[^/]*')}`;
}

/** How selectors are written, to be read after `must be` or `write`. */
export const SELECTOR_FORMS = 'tag:NAME, operation:ID, path:/users/** or method:GET';

/** A choice of operations that notices which of its selectors have selected any. */
export class Selection {
  readonly #only: ReadonlyMap<string, Test> | undefined;
  readonly #except: ReadonlyMap<string, Test>;
  readonly #used = new Set<string>();

  constructor({ only, except = [] }: OperationChoice) {
    const tests = (selectors: readonly string[]) =>
      new Map(selectors.map((selector) => [selector, selectorTest(selector) ?? (() => false)]));
    this.#only = only && tests(only);
    this.#except = tests(except);
  }

  has(operation: Selectable): boolean {
    const selects = (tests: ReadonlyMap<string, Test>): boolean => {
      const found = [...tests].filter(([, test]) => test(operation));
      for (const [selector] of found) this.#used.add(selector);
      return found.length > 0;
    };
    const isExcepted = selects(this.#except);
    return (this.#only === undefined || selects(this.#only)) && !isExcepted;
  }

  /** A sentence for each selector that has selected none of the operations. */
  get faults(): readonly string[] {
    return [...(this.#only?.keys() ?? []), ...this.#except.keys()]
      .filter((selector) => !this.#used.has(selector))
      .map((selector) =>
        selectorTest(selector) === undefined
          ? `${selector} is no selector: write ${SELECTOR_FORMS}`
          : `${selector} selects no operation`,
      );
  }

  /** @throws an Error for a selector that has selected none of the operations */
  requireUsed(): void {
    const [fault] = this.faults;
    if (fault !== undefined) throw new Error(fault);
  }
}
