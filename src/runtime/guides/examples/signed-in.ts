// signed-in.ts
import Koa, { type ParameterizedContext } from 'koa';
import { hostType, restEngine } from '@concordat/runtime';
import { koaTransport } from '@concordat/runtime/koa';
import { contract } from './generated/routing.js';

type SignedIn = ParameterizedContext<{ user: string }>;

const engine = restEngine({
  contract,
  host: hostType<SignedIn>(),
  operations: {
    getGreeting: ({ path }, { host }) => ({
      status: 200,
      body: { text: `Hello, ${path.name}, from ${host.state.user}` },
    }),
  },
  security: {},
  anonymous: undefined,
  report: console.error,
});

new Koa()
  .use((context, next) => {
    context.state.user = 'Grace'; // your own authentication
    return next();
  })
  .use(koaTransport(engine).routes())
  .listen(3000);
