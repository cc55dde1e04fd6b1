/** Writes the types of the requests that the service sends: the part of `operations.ts` for webhooks and callbacks. */

import type { ContractModel, OutgoingModel } from '../read/model.js';
import type { Reader } from '../read/reader.js';
import { operationKey } from '../text/literal.js';
import { requestType } from './request-type.js';
import type { ResponseTypes } from './response-type.js';
import { docComment } from './text.js';

/** The types of each request and of its answers, and the interfaces `Webhooks` and `Callbacks` that list them. */
export function outgoingTypes(
  reader: Reader,
  { webhooks, callbacks }: ContractModel,
  responses: ResponseTypes,
): readonly string[] {
  const blocks = [...webhooks, ...callbacks].map(
    (each) => `${docComment(`What \`${each.id}\` carries.`)}
export ${requestType(reader, each, `${each.typeName}Request`)}

/** How \`${each.id}\` may be answered. */
export type ${each.typeName}Response =${responses.union(each)};
`,
  );
  return [
    ...exchanges('Webhooks', 'The webhooks that the service sends, by name.', webhooks),
    ...exchanges('Callbacks', 'The callbacks that the service sends, by name.', callbacks),
    ...blocks,
  ];
}

function exchanges(name: string, description: string, sent: readonly OutgoingModel[]): readonly string[] {
  if (sent.length === 0) return [];
  const members = sent.map(
    ({ id, typeName, method, url, summary }) => `  ${docComment(
      `\`${[method, url].filter((part) => part !== undefined).join(' ')}\`${summary === '' ? '' : `: ${summary}`}`,
      2,
    )}
  readonly ${operationKey(id)}: { readonly request: ${typeName}Request; readonly answer: ${typeName}Response };
`,
  );
  return [`/** ${description} */\nexport interface ${name} {\n${members.join('')}}\n`];
}
