/** The resolver of `__TYPE__.__FIELD__`. */

import { Problem } from '@concordat/runtime';
import type { EventsOf } from '__GENERATED__/graphql.js';
import type { SchemaResolvers } from '../context.js';

type Field = SchemaResolvers['__TYPE__']['__FIELD__'];

export const __NAME__: Field = {
  // As a generator: `async *subscribe(_, parameters): EventsOf<Field>`.
  subscribe(): EventsOf<Field> {
    throw new Problem(501, '__TYPE__.__FIELD__ is not implemented');
  },
};
