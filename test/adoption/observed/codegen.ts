/** Generates all operations. */

import { codegenConfig } from '@concordat/codegen';

export default codegenConfig({ openapi: 'openapi.yaml', out: 'generated' });
