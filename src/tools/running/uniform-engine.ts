/** Runs a contract with the same handler for every operation. */

import {
  type Answer,
  type CallContext,
  type Encoder,
  type RestContract,
  type RestEngine,
  type SecurityHandler,
  type SecurityScheme,
  restEngine,
} from '@concordat/runtime';

interface UniformParts<Caller> {
  readonly handler: (input: unknown, context: CallContext<Caller>) => Promise<Answer>;
  readonly security: (scheme: SecurityScheme) => SecurityHandler<Caller>;
  readonly anonymous: Caller;
  /** The encoder of a media type that the engine does not write itself. */
  readonly encoder: (mediaType: string) => Encoder;
  readonly report: (error: unknown) => void;
}

export function uniformEngine<Caller>(
  contract: RestContract,
  { handler, security, anonymous, encoder, report }: UniformParts<Caller>,
): RestEngine<Caller> {
  const bodies = Object.values(contract.operations)
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.entries(content));
  const others = bodies.filter(([, { kind }]) => kind === 'other');
  return restEngine<Caller, unknown, string, string>({
    contract,
    operations: mapped(contract.operations, () => handler),
    security: mapped(contract.securitySchemes, security),
    anonymous,
    encoders: Object.fromEntries(others.map(([mediaType]) => [mediaType, encoder(mediaType)])),
    report,
  });
}

function mapped<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/**
 * Reads the body of a request to its end if it is a stream. Errors of its reader are thrown.
 *
 * @param input - the first argument of a handler
 */
export async function readToEnd(input: unknown): Promise<void> {
  if (typeof input !== 'object' || input === null || !('body' in input)) return;
  const { body } = input;
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return;
  const pieces = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true);
}
