/** Runs the service in one call: from its settings to an address that accepts connections. */

import { type Service, type ServiceOptions, createService } from './create-service.js';
import type { Settings } from './settings/settings.js';

/** A service that accepts connections. */
export interface RunningService extends Pick<
  Service,
  'services' | 'store' | 'demoSignIns' | 'warnings' | 'unhandledRejection'
> {
  /** The address that it listens on, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Stops accepting connections, finishes the requests in flight, and closes what the service opened. */
  stop(): Promise<void>;
}

/** Starts the service, and resolves once it accepts connections. */
export async function serve(
  settings: Settings,
  options: Omit<ServiceOptions, 'settings'> = {},
): Promise<RunningService> {
  const service = await createService({ ...options, settings });
  try {
    const { url } = await service.listen();
    const { services, store, demoSignIns, warnings, unhandledRejection } = service;
    return {
      url,
      services,
      store,
      demoSignIns,
      warnings,
      unhandledRejection,
      stop: () => service.close(),
    };
  } catch (error) {
    // The reason why the service cannot listen matters more than errors while closing.
    await service.close().catch(() => undefined);
    throw error;
  }
}
