/** Decides what is on for the one person who tries the service on their machine, unless a setting says otherwise. */

import { isLoopback, openPolicy, type Policy } from '@concordat/core';
import type { Settings } from '../settings/settings.js';

type Host = Pick<Settings, 'host' | 'policy' | 'isPolicyGiven' | 'socket' | 'trustProxy' | 'console'>;

/**
 * Whether the open policy applies because it is the default on loopback, and not because it was chosen.
 *
 * @param policy - that of the application
 */
export function isOpenByDefault(policy: Policy | undefined, settings: Host): boolean {
  const isChosen = policy !== undefined || settings.isPolicyGiven;
  return !isChosen && settings.policy === openPolicy && isLoopback(settings.host);
}

/** A socket that systemd holds, and a proxy, may lead to a network. */
export function hasConsole(policy: Policy | undefined, settings: Host): boolean {
  const { console, host, socket, trustProxy } = settings;
  if (console !== undefined) return console;
  const isOpen = (policy ?? settings.policy) === openPolicy;
  return isOpen && isLoopback(host) && socket === undefined && trustProxy === 0;
}
