/** Writes `outgoing.ts`: the webhooks and callbacks of a contract, for the client of `@concordat/runtime/client`. */

import { coercionOf } from '../../contract/model/schema-shape.js';
import type {
  ContractModel,
  MediaTypeModel,
  OutgoingModel,
  ResponseModel,
} from '../../contract/model/model.js';
import { camelCase, freeIdentifier, pascalCase } from '../../text/identifiers.js';
import { type Code, NOTHING, code, docComment, identifier, joined, operationKey } from '../../text/code.js';
import { hasMemberOf, memberOf } from '../../text/literal.js';
import { type CheckList, type Direction, bodyCheckName } from './checks.js';
import { constant } from './routing-file.js';
import { parameterEntry } from './routing-table.js';
import { VALUES, type ValueList } from './value-list.js';

/** The imports of `validators.js` and of `response-validators.js`. */
const CHECKS = code`check`;
const ANSWERS = code`answer`;

/**
 * The text of `outgoing.ts`; undefined for a contract without webhooks and callbacks.
 *
 * @param checks - collects every check that the file names
 * @param values - collects every conversion that the file names
 */
export function outgoingFile(
  { webhooks, callbacks }: ContractModel,
  checks: CheckList,
  values: ValueList,
  banner: Code,
): Code | undefined {
  const table = new OutgoingTable(checks, values);
  const sent = {
    webhooks: webhooks.map((each) => table.sent(each)),
    callbacks: callbacks.map((each) => table.sent(each)),
  };
  if (webhooks.length + callbacks.length === 0) return undefined;
  const blocks = [
    ...sentBlocks(code`webhooks`, code`Webhooks`, sent.webhooks),
    ...sentBlocks(code`callbacks`, code`Callbacks`, sent.callbacks),
  ];
  const importOf = (name: Code, file: Code): Code =>
    hasMemberOf(name, sent) ? code`import * as ${name} from ${file};\n` : NOTHING;
  const types = [
    ...(callbacks.length > 0 ? [code`Callbacks`] : []),
    ...(webhooks.length > 0 ? [code`Webhooks`] : []),
  ];
  const imports = joined([
    code`import type { ${joined(types, code`, `)} } from "./operations.js";\n`,
    importOf(ANSWERS, code`"./response-validators.js"`),
    importOf(CHECKS, code`"./validators.js"`),
    importOf(VALUES, code`"./values.js"`),
  ]);
  return joined([banner, imports, ...blocks], code`\n`);
}

function sentBlocks(
  name: Code,
  type: Code,
  entries: readonly ReturnType<OutgoingTable['sent']>[],
): readonly Code[] {
  if (entries.length === 0) return [];
  return [
    ...entries.map((each) => constant(each.about, each.constant, each.entry)),
    code`/** The ${name} of the contract, to be sent by a client of \`@concordat/runtime/client\`. */
export const ${name}: {
  /** For the compiler only: the request and the answers of each. */
  readonly exchanges?: ${type};
  readonly requests: {
${joined(entries.map((each) => code`    readonly ${each.key}: typeof ${each.constant};\n`))}  };
} = {
  requests: {
${joined(entries.map((each) => code`    ${each.key}: ${each.constant},\n`))}  },
};
`,
  ];
}

class OutgoingTable {
  readonly #names = new Set<string>();

  constructor(
    private readonly checks: CheckList,
    private readonly values: ValueList,
  ) {}

  /** A request that the service sends, as a constant with a name that is unique in the file. */
  sent(
    sent: OutgoingModel,
  ): Readonly<Record<'key' | 'constant' | 'about', Code>> & { readonly entry: object } {
    return {
      key: operationKey(sent.id),
      constant: identifier(freeIdentifier(`${camelCase(sent.typeName)}Request`, this.#names)),
      about: docComment(`\`${sent.id}\``),
      entry: this.#entry(sent),
    };
  }

  #entry(sent: OutgoingModel): object {
    const parameters = sent.parameters.map(parameterEntry);
    return {
      method: sent.method,
      url: sent.url,
      parameters: parameters.length === 0 ? undefined : parameters,
      checkParameters: memberOf(CHECKS, this.checks.parameters(sent)),
      encodeParameters: this.values.parameters('encode', sent),
      requestBody: sent.requestBody && {
        required: sent.requestBody.required || undefined,
        content: this.#content(sent, 'Body', sent.requestBody.content, 'request', 'the body'),
      },
      answers: Object.fromEntries(
        sent.responses.map((response) => [response.status, this.#answer(sent, response)]),
      ),
    };
  }

  #answer(sent: OutgoingModel, { status, headers, content }: ResponseModel): object {
    const part = pascalCase(status);
    const codecs = headers.map(({ name, required, explode, node }) => ({
      in: 'header',
      name,
      required: required || undefined,
      style: 'simple',
      explode,
      value: node === undefined ? { type: 'string' } : coercionOf(node),
    }));
    const entries = this.#content(sent, part, content, 'response', `the ${status} answer`);
    return {
      content: content.length === 0 ? undefined : entries,
      exact: this.values.isExactContent(content) || undefined,
      headers: codecs.length === 0 ? undefined : codecs,
      checkHeaders: memberOf(ANSWERS, this.checks.headers(sent, part, headers)),
      decodeHeaders: this.values.headers(sent, part, headers),
    };
  }

  #content(
    sent: OutgoingModel,
    part: string,
    content: readonly MediaTypeModel[],
    direction: Direction,
    about: string,
  ): object {
    const entries = content.map((media): readonly [string, object] => {
      const name = bodyCheckName(sent, part, media, content.length > 1);
      const check = this.checks.body(name, media, direction, `${about} of ${sent.id}`);
      const way = direction === 'request' ? 'encode' : 'decode';
      const codec = {
        kind: media.kind,
        fields: media.fields,
        items: media.items,
        [way]: this.values.body(way, name, media),
        check: memberOf(direction === 'request' ? CHECKS : ANSWERS, check),
      };
      return [media.mediaType, codec];
    });
    return Object.fromEntries(entries);
  }
}
