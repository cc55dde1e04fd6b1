/** The message that the service prints once it accepts connections. */

import { type Policy, openPolicy } from '@concordat/core';
import type { RunningService } from '../../serve.js';
import type { Settings } from '../../settings/settings.js';

type Started = Pick<RunningService, 'url' | 'store' | 'demoSignIns' | 'warnings'>;

/** The first line has the URL; the other lines help people who try the service out. */
export function startMessage({ url, store, demoSignIns, warnings }: Started, { policy }: Settings): string {
  const lines: readonly (readonly [what: string, text: string])[] = [
    ['start here', `${url}/`],
    ['REST', `${url}/docs`],
    ['GraphQL', `${url}/graphql`],
    ['data', store],
    ['policy', policyInWords(policy)],
    ...demoSignIns.map(
      ({ email, password, role }) => ['sign in', `${email}, password ${password} (${role})`] as const,
    ),
    ...warnings.map((warning) => ['warning', warning] as const),
  ];
  return [
    `Concordat listens on ${url}`,
    ...lines.map(([what, text]) => `  ${what.padEnd(WIDTH)}${text}`),
  ].join('\n');
}

const WIDTH = 'start here  '.length;

function policyInWords(policy: Policy): string {
  return policy === openPolicy
    ? 'open: nearly everything is allowed to everybody'
    : 'protected: most things need a sign-in';
}
