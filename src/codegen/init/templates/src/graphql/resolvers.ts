/** Every resolver that the schema needs. `concordat init` adds those of new fields. */

import type { SchemaResolvers } from './context.js';

export const resolvers: SchemaResolvers = {};
