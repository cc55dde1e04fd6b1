/** What the service says once it accepts connections. */

import type { RunningService } from './serve.js';

/** The first line says the URL; what follows is for people who try it out. */
export function startMessage({
  url,
  store,
  demoSignIns,
  warnings,
}: Pick<RunningService, 'url' | 'store' | 'demoSignIns' | 'warnings'>): string {
  return [
    `Concordat listens on ${url}`,
    `  data       ${store}`,
    ...demoSignIns.map(
      ({ email, password, role }) => `  demo user  ${email}, password ${password} (${role})`,
    ),
    ...warnings.map((warning) => `  warning    ${warning}`),
  ].join('\n');
}
