/** The types of conversions between two versions of a contract: the compiler decides from the generated types what needs one. */

import type { Signatures, UntypedHandler } from '../contract/contract.js';
import type { OperationHandlers } from '../rest/operation/handler.js';

type RequestOf<All, Id extends keyof All> = All[Id] extends UntypedHandler ? Parameters<All[Id]>[0] : never;
type AnswerOf<All, Id extends keyof All> = All[Id] extends UntypedHandler
  ? Awaited<ReturnType<All[Id]>>
  : never;
type StatusOf<Answer> = Answer extends { readonly status: infer Status } ? Status : never;

/** The answers that are converted: not those of errors that version 1 does not declare, which become a 500. */
export type ReceivedAnswer<V1, V2, Id extends keyof V1, To extends keyof V2> = Received<
  AnswerOf<V2, To>,
  StatusOf<AnswerOf<V1, Id>>
>;

type Received<Given, Declared> = Given extends { readonly status: infer Status extends number }
  ? OfStatus<Given, Declared, Status, Status>
  : never;

/** @param All - the statuses of the same answer. Only `default`, which describes errors, has the rare ones. */
type OfStatus<Given, Declared, All, Status extends number> = Status extends Declared
  ? Given & { readonly status: Status }
  : [`${Status}`] extends [`${4 | 5}${string}`]
    ? never
    : 208 | 226 | 508 extends All
      ? never
      : Given;

/** From data to data. Their results are compared by {@link Verdict}. */
interface Functions<V1, V2, Id extends keyof V1, To extends keyof V2> {
  /** From a checked request of version 1 to one of version 2, as handlers get them. */
  readonly request?: (request: RequestOf<V1, Id>) => RequestOf<V2, To> | object;
  /** From an answer of version 2's handler to one of version 1. */
  readonly response?: (
    answer: ReceivedAnswer<V1, V2, Id, To>,
    request: RequestOf<V1, Id>,
  ) => AnswerOf<V1, Id> | object;
  /** A break that the types do not show, such as a shorter `maxLength`. With it, a conversion that they do not require is allowed. */
  readonly because?: string;
  readonly handler?: undefined;
}

/** The conversions by the operationId of version 1; `to` is an operation of version 2 that has another name. */
export type Conversions<V1 extends Signatures<V1>, V2, Caller, Host> = {
  readonly [Id in keyof V1]?:
    | (Functions<V1, V2, Id, Id & keyof V2> & { readonly to?: undefined })
    | { readonly [To in keyof V2]: Functions<V1, V2, Id, To> & { readonly to: To } }[keyof V2]
    | {
        /** Serves the operation without version 2. */
        readonly handler: OperationHandlers<V1, Caller, Host>[Id];
        readonly to?: undefined;
        readonly request?: undefined;
        readonly response?: undefined;
      }
    // An object without a conversion of this name has the method that every object inherits.
    | (Id extends keyof typeof Object.prototype ? (typeof Object.prototype)[Id] : never);
};

/**
 * The type of `this` in a call of `versionBridge`, which no caller gives: any, or a sentence per fault of the conversions, each of which
 * names its operation. Only there does the compiler report a sentence alone, in one line.
 */
export type Verdict<V1, V2, Given> =
  // Before the compiler has inferred the functions, each conversion may be absent. The members are not looked at: there may be a million.
  [[object, keyof V1] extends [Given, keyof Given] ? never : Faults<V1, V2, Given>] extends [
    infer Fault extends string,
  ]
    ? [Fault] extends [never]
      ? unknown
      : keyof { [Each in Fault as `${Each}.`]: Each }
    : never;

type Faults<V1, V2, Given> =
  | {
      [Id in keyof V1 & string]: FaultsOf<V1, V2, Id, Id extends keyof Given ? Given[Id] : object>;
    }[keyof V1 & string]
  | `convert.${Exclude<keyof Given, keyof V1> & string} names no operation of version 1`;

type FaultsOf<V1, V2, Id extends keyof V1 & string, Given> = Given extends { readonly handler: unknown }
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
    : `${Name} is wrong: ${Misfit<Result, Wanted>} does not fit`
  : [From] extends [Wanted]
    ? never
    : `${Name} is missing: the types of both versions differ`;

/** The places that do not fit, such as `result.body.id`; an answer is compared with those of its status. */
type Misfit<Result, Wanted> = Result extends { readonly status: infer Status }
  ? Status extends StatusOf<Wanted>
    ? MisfitIn<
        Result,
        Wanted extends unknown ? (Status extends StatusOf<Wanted> ? Wanted : never) : never,
        'result'
      >
    : 'result.status'
  : MisfitIn<Result, Wanted, 'result'>;

type MisfitIn<Result, Wanted, At extends string> = [Result] extends [Wanted]
  ? never
  : Members<Result, Wanted, At> extends infer Place extends string
    ? [Place] extends [never]
      ? At
      : Place
    : At;

type Members<Result, Wanted, At extends string> = [Wanted] extends [object]
  ? {
      [Key in Exclude<keyof Wanted, keyof unknown[]> & string]: MisfitIn<
        Key extends keyof Result ? Result[Key] : undefined,
        Wanted[Key],
        `${At}.${Key}`
      >;
    }[Exclude<keyof Wanted, keyof unknown[]> & string]
  : never;
