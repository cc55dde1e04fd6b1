/** The engine that serves all operations, behind the application's own middleware. */

import { type RestEngine, type SecurityHandler, restEngine } from '@concordat/runtime';
import { contract } from '../generated/routing.js';
import type { Deps } from '../legacy-app/app.js';
import { scannerKeys } from '../legacy-app/seed.js';
import type { Ctx, User } from '../legacy-app/types.js';
import { customerHandlers as firstHandlers } from '../part/customers.js';
import { explain, problems } from '../part/problems.js';
import { signedIn } from '../part/signed-in.js';
import { customerHandlers } from './customers.js';
import { fileHandlers } from './files.js';
import { invoiceHandlers } from './invoices.js';
import { paymentHandlers } from './payments.js';
import { productHandlers } from './products.js';
import { reportHandlers } from './reports.js';
import { sessionHandlers } from './session.js';
import { stockHandlers } from './stock.js';

const scanner: SecurityHandler<User | undefined, Ctx> = {
  missing: 'Sign in first',
  authenticate: (key) =>
    scannerKeys[key] === undefined ? { refused: 'Sign in first' } : { caller: undefined },
};

export const createEngine = (deps: Deps): RestEngine<User | undefined, Ctx> =>
  restEngine({
    contract,
    operations: {
      ...firstHandlers(deps),
      ...sessionHandlers(deps),
      ...customerHandlers(deps),
      ...invoiceHandlers(deps),
      ...paymentHandlers(deps),
      ...productHandlers(deps),
      ...stockHandlers(deps),
      ...fileHandlers(deps),
      ...reportHandlers(deps),
    },
    security: { bearer: signedIn, cookie: signedIn, scanner },
    anonymous: undefined,
    bodyLimit: 256 * 1024,
    problems,
    explain,
    report: (err, { host }) => host.log.error({ err }, 'unhandled error'),
  });
