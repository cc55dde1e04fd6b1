/** Generates all operations. */

import { codegenConfig } from 'concordat';

export default codegenConfig({ openapi: 'openapi.yaml', out: 'generated' });
