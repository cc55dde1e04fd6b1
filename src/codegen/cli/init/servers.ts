/** The hosts of new projects, and the packages that each needs; their servers are in `templates/servers/`. */

import type { Template } from './template.js';

export const HOSTS = ['koa', 'node', 'express', 'fastify', 'hono'] as const;

export type Host = (typeof HOSTS)[number];

/** The contracts that a server serves. */
export interface Served {
  readonly rest: boolean;
  readonly graphql: boolean;
}

interface HostPackages {
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
}

const PACKAGES: Readonly<Record<Host, HostPackages>> = {
  koa: { dependencies: ['koa', '@koa/router'], devDependencies: ['@types/koa'] },
  node: { dependencies: [], devDependencies: [] },
  express: { dependencies: ['express'], devDependencies: ['@types/express'] },
  fastify: { dependencies: ['fastify'], devDependencies: [] },
  hono: { dependencies: ['hono', '@hono/node-server'], devDependencies: [] },
};

/** The packages that a project installs for its server. */
export function packagesOf(host: Host): HostPackages {
  return PACKAGES[host];
}

export function serverTemplate(host: Host, { rest, graphql }: Served): Template {
  return { file: `servers/${host}.ts`, values: { REST: rest, GRAPHQL: graphql, BOTH: rest && graphql } };
}
