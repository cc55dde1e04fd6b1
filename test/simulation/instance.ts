/** One instance of the service over the store of a world. */

import {
  cloudEvent,
  createOperations,
  createServices,
  securityHandlers,
  openPolicy,
  protectedPolicy,
  serviceEngine,
  type Services,
  type AttemptLimiter,
  type Storage,
} from '@concordat/core';
import { openGraphqlSession, serviceGraphqlEngine } from '@concordat/core/graphql';
import { jwtCodec } from '@concordat/core/identity/jwt';
import { memoryAttemptLimiter } from '@concordat/core/limits/memory';
import { fetchTransport } from '@concordat/runtime/fetch';
import { compileQuery, graphqlHttp } from '@concordat/runtime/graphql';
import { xmlEncoder } from '@concordat/runtime/xml';
import { contract } from '../../generated/routing.js';
import * as checkResponses from '../../generated/response-validators.js';
import { timestampOf } from '../../src/core/model/timestamp.js';
import type { FieldsContract } from './fields.js';
import { resolvers, typeDefs } from './own-resolvers.js';
import type { WorldSettings } from './settings.js';
import { type World, plainHasher } from './world.js';

export interface Instance {
  readonly services: Services;
  readonly rest: (request: Request) => Promise<Response>;
  readonly graphql: (request: Request) => Promise<Response>;
}

/** Counts failed sign-ins. What it loads takes the time of the machine, so it is loaded before the time of the world begins. */
export async function openLimiter({ limitsSignIns }: WorldSettings): Promise<AttemptLimiter> {
  const limiter = memoryAttemptLimiter({ attempts: limitsSignIns ? 10 : 1_000_000 });
  for (const times of [1, 4, 16]) await limiter.blockedFor('nobody', times);
  return limiter;
}

export function openInstance(
  world: World,
  storage: Storage,
  signInLimiter: AttemptLimiter,
  own: FieldsContract | undefined,
  policy = world.settings.policy,
): Instance {
  const { settings, report } = world;
  const { nodes, bodyBytes, ...limits } = settings.limits;
  const services = createServices({
    storage,
    events: world.bus.events(),
    clock: { now: () => timestampOf(world.now) },
    policy: policy === 'open' ? openPolicy : protectedPolicy,
    report,
    passwordHasher: plainHasher,
    tokens: jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) }),
    signInLimiter,
    signInForm: settings.signInForm,
    rotatesRefreshTokens: settings.rotates,
    idempotencySecret: 'i'.repeat(32),
    identityProvider: world.provider.provider(),
    subscriberBounds: { items: settings.queued },
    ...(settings.hooks && { hooks: world.hooks.table() }),
    ...(settings.outbox && { outbox: { sender: world.receivers, encode: cloudEvent, random: () => 0.5 } }),
  });
  const xml = xmlEncoder(contract.xmlNames);
  const engine =
    own === undefined
      ? serviceEngine({ services, report, xml, checkResponses, reportVersions: settings.reportsVersions })
      : serviceEngine({
          services,
          report,
          xml,
          contract: own.contract,
          checkResponses: own.checks,
          operations: createOperations(services),
          security: securityHandlers(services.authentication),
        });
  const graphql = graphqlHttp(
    serviceGraphqlEngine({
      services,
      report,
      limits,
      ...(settings.compiles && { compile: compileQuery }),
      ...(own !== undefined && { typeDefs, resolvers: resolvers(services) }),
    }),
    {
      openSession: (client) => openGraphqlSession(services, client, nodes),
      maxBodyBytes: bodyBytes,
    },
  );
  return { services, rest: fetchTransport(engine), graphql: fetchTransport(graphql) };
}
