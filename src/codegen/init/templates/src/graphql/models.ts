/** The values of types with fields that have their own resolvers: without these fields. `codegen.ts` names them. */

import type * as schema from '__GENERATED__/graphql.js';

__MODELS__
