// catalogue.codegen.ts
import { codegenConfig } from 'concordat';

export default codegenConfig({
  openapi: 'catalogue.yaml',
  out: 'generated/catalogue',
  problems: {
    'application/json': { error: 'body/email is required' },
    'application/xml': { error: 'body/email is required' },
  },
});
