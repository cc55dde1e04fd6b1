/** The application's ports, whose calls end in time: neither a request nor a place in a queue waits for a neighbour that hangs. */
import { ServiceError } from '../../model/error.js';
import { within } from '../../pacing/pacing.js';

/** By port: the message of a call that takes too long, and its limit in milliseconds. Our own adapters give up before, or then. */
const patience = {
  events: ['The events do not answer', 5_000],
  tokens: ['Tokens cannot be checked: try again in a moment', 10_000],
  passwordHasher: ['Passwords cannot be checked: try again in a moment', 10_000],
  signInLimiter: ['Attempts cannot be counted: try again in a moment', 10_000],
  signUpLimiter: ['Attempts cannot be counted: try again in a moment', 10_000],
  identityProvider: ['The identity provider does not answer: try again in a moment', 20_000],
} as const;

/** @returns the same options, whose ports reject with `unavailable` when a call does not end in time */
export function withPatience<Options extends { readonly [Port in keyof typeof patience]?: object }>(
  options: Options,
): Options {
  const patientOnes = Object.entries(patience).flatMap(([name, [sentence, ms]]) => {
    const port = options[name as keyof typeof patience];
    return port === undefined ? [] : [[name, patient(port, sentence, ms)] as const];
  });
  return { ...options, ...Object.fromEntries(patientOnes) };
}

/** @throws ServiceError `unavailable` with the sentence when there is no answer in time */
export function inTime<T>(answer: Promise<T>, sentence: string, ms: number): Promise<T> {
  return within(ms, answer, { errorOf: (detail) => new ServiceError('unavailable', sentence, { detail }) });
}

/** @returns the same port; its `close` may take as long as it likes */
function patient<Port extends object>(port: Port, sentence: string, ms: number): Port {
  // Of an object of its own, because one of a port that is frozen must give the port's own functions.
  return new Proxy({} as Port, {
    has: (_, key) => key in port,
    get(_, key) {
      const member: unknown = Reflect.get(port, key, port);
      if (typeof member !== 'function' || key === 'close') return member;
      return (...given: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, port, given);
        return answer instanceof Promise ? inTime(answer, sentence, ms) : answer;
      };
    },
  });
}
