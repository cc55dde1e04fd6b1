/** Hooks: functions that an engine calls before and after the handlers of all operations, or of selected ones. */

import type { Signatures } from '../../contract/contract.js';
import { type Selectable, type Selector, selectorTest } from '../../contract/selectors.js';
import type { HttpResponse } from '../../http/message.js';
import type { Answer, CallContext, DecodedRequest } from './handler.js';
import type { RestOperation } from './operation.js';

/** The context of a call, which all its hooks and its handler share. */
export interface HookContext<Caller, Host = unknown> extends CallContext<Caller, Host> {
  readonly operation: Pick<RestOperation<never>, 'id' | 'tags' | 'method' | 'path'>;
}

/** The result of a hook: a value, or nothing, at once or later. */
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- a function without a `return` has this type
type Returned<Value> = Value | undefined | void | Promise<Value | undefined> | Promise<void>;

/**
 * Runs after authentication and after the check of the request, just before the handler.
 *
 * @returns an answer, which is sent instead of the handler's and must fit the contract in the same way; or nothing, to go on
 * @throws a `Problem` to refuse the request; every other error is treated as an error of the handler
 */
export type BeforeHook<Caller, Host = unknown, Request = DecodedRequest, Given = Answer> = (
  request: Request,
  context: HookContext<Caller, Host>,
) => Returned<Given>;

/**
 * Runs when the response is ready, before it is written, also if the request was refused or an error was masked.
 *
 * @returns a response that replaces it, or nothing. A hook that replaces a streamed body must read it
 * @throws an error, which is treated as an error of the handler: the response is replaced
 */
export type AfterHook<Caller, Host = unknown, Request = DecodedRequest, Given = Answer> = (
  outcome: Outcome<Request, Given>,
  context: HookContext<Caller, Host>,
) => Returned<HttpResponse>;

/** The result of a call. */
export interface Outcome<Request = DecodedRequest, Given = Answer> {
  /** The checked request; undefined if the engine refused it. */
  readonly request: Request | undefined;
  /** The answer of the handler or of a `before` hook; undefined if there is none. */
  readonly answer: Given | undefined;
  /** The reason of a refusal, or the error that was thrown; undefined if there is none. */
  readonly error: unknown;
  /** The encoded response. The body of a stream has not been read yet. */
  readonly response: HttpResponse;
  /** The time from the start of the call to its response, in milliseconds. */
  readonly duration: number;
}

/** Hooks of all operations: functions; and of single operations, by operationId or by selector, such as `tag:billing` and `path:/users/**`. */
export interface Hooks<
  Caller,
  Host = unknown,
  Handlers extends Signatures<Handlers> = object,
  Literals = never,
> {
  readonly before?:
    | BeforeHook<Caller, Host>
    | (BySelector<BeforeHook<Caller, Host>> & {
        readonly [Id in keyof Handlers]?: BeforeHook<
          Caller,
          Host,
          Parameters<Handlers[Id]>[0],
          Awaited<ReturnType<Handlers[Id]>> | Literals
        >;
      });
  readonly after?:
    | AfterHook<Caller, Host>
    | (BySelector<AfterHook<Caller, Host>> & {
        readonly [Id in keyof Handlers]?: AfterHook<
          Caller,
          Host,
          Parameters<Handlers[Id]>[0],
          Awaited<ReturnType<Handlers[Id]>>
        >;
      });
}

type BySelector<Hook> = Readonly<Record<Selector, Hook>>;

/** Hooks of an engine; the compiler has compared their types with its contract. */
export type AnyHooks = Readonly<
  Partial<Record<'before' | 'after', AnyHook | Readonly<Record<string, AnyHook>>>>
>;
type AnyHook = (first: never, context: never) => unknown;

/** Whether a hook is for an operation, and the hook. */
type Entry = readonly [isFor: (operation: Selectable) => boolean, hook: AnyHook];

/** The hooks of one operation, in the order in which they run. */
export interface OperationHooks {
  readonly before: readonly ((request: DecodedRequest, context: object) => unknown)[];
  readonly after: readonly ((outcome: Outcome, context: object) => unknown)[];
}

/**
 * Finds the hooks of operations: `before` hooks in the order of the list, `after` hooks in reverse, so that the first entry sees the
 * responses of the others.
 *
 * @throws when a hook belongs to no operation of the engine
 */
export function selectHooks(
  hooks: readonly AnyHooks[],
  operations: readonly Selectable[],
): (operation: Selectable) => OperationHooks {
  const orphans = new Set<string>();
  const testOf = (name: string): Entry[0] => {
    const isId = operations.some(({ id }) => id === name);
    const test = isId ? selectorTest(`operation:${name}`) : selectorTest(name);
    if (test !== undefined && operations.some(test)) return test;
    orphans.add(name);
    return () => false;
  };
  const entries = (part: keyof AnyHooks): Entry[] =>
    hooks.flatMap(({ [part]: given = {} }): readonly Entry[] =>
      typeof given === 'function'
        ? [[() => true, given]]
        : Object.entries(given).map(([name, hook]) => [testOf(name), hook]),
    );
  const before = entries('before');
  const after = entries('after').reverse();
  if (orphans.size > 0) {
    throw new Error(`the engine has no operation for these hooks: ${[...orphans].join(', ')}`);
  }
  return (operation) => {
    const of = (all: readonly Entry[]): never =>
      all.filter(([isFor]) => isFor(operation)).map(([, hook]) => hook) as never;
    return { before: of(before), after: of(after) };
  };
}
