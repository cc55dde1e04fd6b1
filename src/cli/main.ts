#!/usr/bin/env node
/** What `npm start` runs: the service, until it is told to stop. */

import { serve } from './serve.js';
import { startMessage } from './start-message.js';
import { readSettings } from './settings.js';

try {
  const service = await serve(readSettings(process.env));
  console.log(startMessage(service));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.stop());
} catch (error) {
  // Why it cannot start is for people; where in the code is not.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
