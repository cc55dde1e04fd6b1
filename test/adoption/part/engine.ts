/** The engine that serves the operations which are moved, behind the application's own middleware. */

import { type RestEngine, restEngine } from '@concordat/runtime';
import { contract } from '../generated/routing.js';
import type { Deps } from '../legacy-app/app.js';
import type { Ctx, User } from '../legacy-app/types.js';
import { customerHandlers } from './customers.js';
import { explain, problems } from './problems.js';
import { signedIn } from './signed-in.js';

export const createEngine = (deps: Deps): RestEngine<User | undefined, Ctx> =>
  restEngine({
    contract,
    operations: customerHandlers(deps),
    others: 'next',
    security: { bearer: signedIn, cookie: signedIn },
    anonymous: undefined,
    problems,
    explain,
    report: (err, { host }) => host.log.error({ err }, 'unhandled error'),
  });
