/** Generates the operations that are moved. */

import { codegenConfig } from 'concordat';

export default codegenConfig({
  openapi: 'openapi.yaml',
  out: 'generated',
  only: ['tag:me', 'tag:customers', 'operation:createCustomer', 'operation:getCustomer'],
});
