/** Two versions of a contract, the conversions between them, and a small server of the newer one. */

import type { Answer, SecurityHandler } from '@concordat/runtime';

/** What a handler of the newer version gets; each reads what its operation declares. */
export interface Received {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type Handlers = Readonly<Record<string, (request: Received) => Answer>>;

/** A request of the old version, such as `GET /users`, and its answer: a status, and the JSON or the text of the body. */
export type Exchange = readonly [send: string, body: unknown, status: number, answer: unknown];

export interface Pair {
  readonly name: string;
  /** The documents as text. */
  readonly old: string;
  readonly new: string;
  /** Unsupported features that both documents have. */
  readonly accept?: readonly string[];
  /** What a person writes in the place of each `throw`: by operation and part, such as `getPayment.response`. */
  readonly conversions: Readonly<Record<string, string>>;
  /** What a person adds to the module. */
  readonly helpers?: string;
  /** The handlers of the newer version, with a store of their own. */
  readonly handlers: () => Handlers;
  readonly security?: Readonly<Record<string, SecurityHandler<string>>>;
  /** The media types of problems; JSON alone unless given. */
  readonly problems?: readonly string[];
  readonly credentials?: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
}

/** A text with some of its parts replaced, each of which must be there. */
export function changed(
  text: string,
  ...replacements: readonly (readonly [from: string, to: string])[]
): string {
  return replacements.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The document has no ${JSON.stringify(from)}`);
    return before.replaceAll(from, () => to);
  }, text);
}

/** The skeleton with the lines of a person in the place of those that throw. */
export function completed(skeleton: string, { conversions, helpers = '' }: Pair): string {
  const whole = Object.entries(conversions).reduce((before, [name, statements]) => {
    const [, id = '', part = ''] = /^(.+)\.(\w+)$/.exec(name) ?? [];
    const thrown = `throw new Error('Write the ${part} of ${id}');`;
    const [start, end, ...others] = before.split(thrown);
    if (start === undefined || end === undefined || others.length > 0)
      throw new Error(`The skeleton has no ${name}`);
    const opened = start.replace(/(request|response): \(\) => \{\n *$/, (open, kind: string) =>
      open.replace('()', kind === 'request' ? '(request)' : '(answer)'),
    );
    return opened + statements + end;
  }, skeleton);
  return whole + helpers;
}
