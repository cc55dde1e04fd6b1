/** The types of conversions between two versions of a contract: the compiler decides from the generated types what needs one. */

import type { Signatures, UntypedHandler } from '../contract/contract.js';
import type { OperationHandlers } from '../rest/operation/handler.js';

type RequestOf<Handlers, Id extends keyof Handlers> = Handlers[Id] extends UntypedHandler
  ? Parameters<Handlers[Id]>[0]
  : never;

type AnswerOf<Handlers, Id extends keyof Handlers> = Handlers[Id] extends UntypedHandler
  ? Awaited<ReturnType<Handlers[Id]>>
  : never;

type StatusOf<Answer> = Answer extends { readonly status: infer Status extends number } ? Status : never;

/** Whether the statuses of an answer are those of errors: 4xx and 5xx, or `default`, which alone has statuses that nothing names. */
type IsError<Status extends number> = `${Status}` extends `${4 | 5}${string}`
  ? true
  : 208 | 226 | 418 | 508 extends Status
    ? true
    : false;

/** The answers of version 2 that reach version 1. An error with a status that version 1 does not declare becomes a 500 before. */
type Received<Given, Declared extends number> = Given extends { readonly status: infer Status extends number }
  ? [IsError<Status>, Exclude<Status, Declared>] extends [true, infer Undeclared]
    ? [Undeclared] extends [never]
      ? Given
      : [Status & Declared] extends [never]
        ? never
        : Omit<Given, 'status'> & { readonly status: Status & Declared }
    : Given
  : never;

export type ReceivedAnswer<V1, V2, Id extends keyof V1, To extends keyof V2> = Received<
  AnswerOf<V2, To>,
  StatusOf<AnswerOf<V1, Id>>
>;

/** The functions from data to data for one operation. Their results are compared by {@link Faults}, for the sake of short messages. */
interface Functions<V1, V2, Id extends keyof V1, To extends keyof V2> {
  /** From a checked request of version 1 to one of version 2, as handlers get them. */
  readonly request?: (request: RequestOf<V1, Id>) => RequestOf<V2, To> | object;
  /** From an answer of version 2's handler to one of version 1. The items of a stream are converted by `eachItem`. */
  readonly response?: (
    answer: ReceivedAnswer<V1, V2, Id, To>,
    request: RequestOf<V1, Id>,
  ) => AnswerOf<V1, Id> | object;
  /** The break that the types do not show, such as a shorter `maxLength`; with it, a conversion that they do not require is allowed. */
  readonly because?: string;
  readonly handler?: undefined;
}

type Conversion<V1 extends Signatures<V1>, V2, Id extends keyof V1, Caller, Host> =
  | (Functions<V1, V2, Id, Id & keyof V2> & { readonly to?: undefined })
  /** `to` is the operation of version 2, if it has another name there. */
  | { readonly [To in keyof V2]: Functions<V1, V2, Id, To> & { readonly to: To } }[keyof V2]
  /** Serves an operation that version 2 does not have. */
  | {
      readonly handler: OperationHandlers<V1, Caller, Host>[Id];
      readonly to?: undefined;
      readonly request?: undefined;
      readonly response?: undefined;
      readonly because?: string;
    };

/** By the operationId of version 1: what converts its requests and answers. */
export type Conversions<V1 extends Signatures<V1>, V2, Caller, Host> = {
  readonly [Id in keyof V1]?: Conversion<V1, V2, Id, Caller, Host>;
};

/**
 * The type of `this` in a call of `versionBridge`, which no caller gives: any, or a sentence per fault of the conversions, each of which
 * names its operation. Only there does the compiler report a text alone, in one line.
 */
export type Verdict<V1, V2, Given> =
  // Before the compiler has inferred the functions, each conversion may be absent.
  undefined extends Given[keyof Given]
    ? unknown
    : Faults<V1, V2, Given> extends infer Fault extends string
      ? [Fault] extends [never]
        ? unknown
        : keyof { [Each in Fault as `${Each}.`]: Each }
      : never;

type Faults<V1, V2, Given> =
  | {
      [Id in keyof V1 & string]: FaultsOf<V1, V2, Id, Id extends keyof Given ? Given[Id] : object>;
    }[keyof V1 & string]
  | (Exclude<keyof Given, keyof V1> extends infer Id extends string
      ? `convert.${Id} names no operation of version 1`
      : never);

export type FaultsOf<V1, V2, Id extends keyof V1 & string, Given> = Given extends {
  readonly handler: unknown;
}
  ? never
  : (Given extends { readonly to: infer To } ? To : Id) extends infer To extends keyof V2
    ? | Fault<`convert.${Id}.request`, RequestOf<V1, Id>, RequestOf<V2, To>, Given, 'request'>
      | Fault<`convert.${Id}.response`, ReceivedAnswer<V1, V2, Id, To>, AnswerOf<V1, Id>, Given, 'response'>
    : `convert.${Id} needs \`to\` or \`handler\`: version 2 has no operation of this name`;

type Fault<Name extends string, From, Wanted, Given, Part extends string> = Given extends {
  readonly [Each in Part]: (...given: never) => infer Result;
}
  ? [From, Given extends { readonly because: string } ? true : false] extends [Wanted, false]
    ? `${Name} is superfluous: the types of both versions fit, and no \`because\` says what they do not show`
    : [Result] extends [Wanted]
      ? never
      : `${Name} is wrong: ${MisfitOf<Result, Wanted>} does not fit`
  : [From] extends [Wanted]
    ? never
    : `${Name} is missing: the types of both versions differ`;

/** The places at which a result does not fit, such as `result.body.id`; an answer is compared with those of its status. */
type MisfitOf<Result, Wanted> = Result extends { readonly status: infer Status }
  ? Status extends StatusOf<Wanted>
    ? Misfit<
        Result,
        Wanted extends unknown ? (Status extends StatusOf<Wanted> ? Wanted : never) : never,
        'result'
      >
    : 'result.status'
  : Misfit<Result, Wanted, 'result'>;

type Misfit<Result, Wanted, At extends string> = [Result] extends [Wanted]
  ? never
  : [Result, Wanted] extends [object, object]
    ? {
        [Key in keyof Wanted & string]: Key extends keyof Result
          ? Misfit<Result[Key], Wanted[Key], `${At}.${Key}`>
          : undefined extends Wanted[Key]
            ? never
            : `${At}.${Key}`;
      }[keyof Wanted & string] extends infer Place extends string
      ? [Place] extends [never]
        ? At
        : Place
      : never
    : At;
