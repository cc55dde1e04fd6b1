/** Figures of operating the service, each by its name: `npm run bench -- operations restarts`. */

import { posts } from './operations/posts.js';
import { restarts } from './operations/restarts.js';
import { subscribers } from './operations/subscribers.js';

const TASKS: Readonly<Record<string, (parameters: readonly string[]) => Promise<void>>> = {
  restarts,
  posts,
  subscribers,
};

const [name, ...parameters] = process.argv.slice(2);
const named = Object.entries(TASKS).filter(([each]) => name === undefined || name === each);
if (named.length === 0) throw new Error(`There are: ${Object.keys(TASKS).join(', ')}`);
for (const [, task] of named) await task(parameters);
process.exit(); // a shared PostgreSQL ends with the process
