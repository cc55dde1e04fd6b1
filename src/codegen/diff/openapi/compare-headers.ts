/** Finds the changes in the headers of a response. */

import { partsOf } from '../../examples/conjunction.js';
import type { HeaderModel, ResponseModel } from '../../read/model.js';
import type { VersionName } from '../change/change.js';
import { type Draft, SUSPECT, type Suspicion, labelOf, otherVersion, requesterOf } from './draft.js';
import { surroundings } from './requests.js';
import { type ResponsePair, placeOf, responsesOf } from './responses.js';
import { schemaDrafts } from './schema-drafts.js';

export function* compareHeaders({ pair, old, new: next }: ResponsePair): Generator<Draft> {
  const find = (response: ResponseModel, { name }: HeaderModel): HeaderModel | undefined =>
    response.headers.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const change = (header: HeaderModel, kind: string, suspicions: Partial<Draft>): Draft => {
    const place = (response: ResponseModel, version: VersionName): string =>
      find(response, header)?.schemaAt.replace(/\/schema$/, '') ?? placeOf(pair[version], response);
    const places = { old: place(old, 'old'), new: place(next, 'new') };
    return {
      kind: `response-header-${kind}`,
      message: `the header ${header.name} of ${old.status} is ${kind.replace('became-optional', 'no longer required').replace('became-', '')}`,
      key: `response-header-${kind} ${places.old} ${places.new}`,
      operation: labelOf(pair.old),
      ...places,
      ...suspicions,
      *probes(side) {
        const from = otherVersion(requesterOf(side));
        for (const around of surroundings(from, 'response')) {
          yield* responsesOf(
            pair,
            from,
            around,
            { old, new: next },
            { headers: { [header.name.toLowerCase()]: undefined } },
          );
        }
      },
    };
  };
  for (const header of old.headers) {
    const other = find(next, header);
    if (other === undefined) {
      const client: Suspicion = { otherwise: 'dangerous', reason: 'the header may be missing' };
      yield change(header, 'removed', { client });
      continue;
    }
    if (header.required && !other.required) yield change(header, 'became-optional', { client: SUSPECT });
    if (!header.required && other.required) yield change(header, 'became-required', { server: SUSPECT });
    yield* schemaDrafts({
      site: {
        old: partsOf(header, pair.versions.old.document),
        new: partsOf(other, pair.versions.new.document),
      },
      name: `header ${header.name}`,
      operation: labelOf(pair.old),
      direction: 'response',
      isSent: pair.isSent,
      *probes(value, around, from) {
        yield* responsesOf(
          pair,
          from,
          around,
          { old, new: next },
          { headers: { [header.name.toLowerCase()]: value } },
        );
      },
    });
  }
  for (const header of next.headers) {
    if (find(old, header) === undefined)
      yield change(header, 'added', header.required ? { server: SUSPECT } : {});
  }
}
