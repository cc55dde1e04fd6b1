/** The generator's configuration: run it with `npm run codegen`. */

import { codegenConfig } from './src/codegen/index.js';

export default codegenConfig({ openapi: 'openapi.yaml', schema: 'schema.graphql', out: 'generated' });
