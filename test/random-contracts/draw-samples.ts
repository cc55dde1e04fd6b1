/** Puts examples and defaults into a document: of ten, eight fit their schema, as far as nothing else restricts the value. */

import type { Random } from '../simulation/random.js';
import type { Document } from './draw-document.js';
import { bodiesOf, schemasOf } from './parts.js';
import { Judge, mutated } from './values.js';

/** A copy of the document with samples at some schemas and at some bodies. */
export function withSamples(document: Document, random: Random): Document {
  const copy = JSON.parse(JSON.stringify(document)) as Document;
  const judge = new Judge(copy);
  const draw = (schema: unknown): unknown => {
    const value = judge.draw(schema, random);
    return random.chance(0.2) ? mutated(value, random) : value;
  };
  const { openapi } = copy;
  // Before the first is added, because a sample is not a schema.
  const bodies = bodiesOf(copy);
  for (const { schema } of schemasOf(copy)) {
    // What 3.0 ignores beside a reference is no sample.
    if ('$ref' in schema || !random.chance(0.1)) continue;
    if (random.chance(0.4)) Object.assign(schema, { default: draw(schema) });
    else if (random.chance(0.5) || String(openapi).startsWith('3.0'))
      Object.assign(schema, { example: draw(schema) });
    else Object.assign(schema, { examples: [draw(schema), draw(schema)] });
  }
  for (const { media } of bodies) {
    if (!random.chance(0.3)) continue;
    const value = draw(media['schema']);
    Object.assign(
      media,
      random.chance(0.5)
        ? { example: value }
        : { examples: { a: { value }, b: { summary: 'B', value: draw(media['schema']) } } },
    );
  }
  return copy;
}
