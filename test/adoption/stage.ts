/** A stage of the adoption of the Koa application, and a day of requests to it. */

import { readdirSync } from 'node:fs';
import type Koa from 'koa';
import { type HttpAnswer, send } from '../support/send.js';
import type { AppOptions } from './legacy-app/app.js';
import type { AppContext, AppState } from './legacy-app/types.js';
import { type Project, readProject } from './project.js';
import { beyond, day } from './requests/day.js';
import { type Start, type Started, listen, testOptions } from './start-legacy-app.js';

export interface Stage extends Pick<Project, 'import' | 'run' | 'remove'> {
  readonly start: () => Promise<Started>;
  /** The operations that the engine has served. */
  readonly operations: ReadonlySet<string>;
  readonly problems: () => Promise<readonly string[]>;
}

/** Reads a stage, whose `codegen.ts` chooses the operations that are generated. @param stage - its folder */
export async function readStage(stage: string): Promise<Stage> {
  const project = await readProject({
    ...Object.fromEntries([stage, 'legacy-app', 'openapi.yaml'].map((each) => [each, each])),
    'codegen.ts': `${stage}/codegen.ts`,
    'concordat.json': `${stage}/concordat.json`,
  });
  const { createApp } = (await project.import(`${stage}/app.ts`)) as {
    readonly createApp: (options: AppOptions) => Koa<AppState, AppContext>;
  };
  const operations = new Set<string>();
  return {
    ...project,
    operations,
    start() {
      const app = createApp(testOptions);
      // The layers of the engine's router have the names of the operations.
      app.middleware.unshift(async (ctx, next) => {
        await next();
        const name: unknown = Reflect.get(ctx, '_matchedRouteName');
        if (typeof name === 'string') operations.add(name);
      });
      return listen(app);
    },
    problems() {
      const files = readdirSync(new URL(stage, import.meta.url)).filter((file) => file.endsWith('.ts'));
      return project.problems(...files.map((file) => `${stage}/${file}`));
    },
  };
}

/**
 * The answers to a day of requests, without the time and the sentences of errors. The engine sends `Vary`, which the application
 * did not, with answers that `Accept` chooses.
 */
export async function dayOf(start: Start): Promise<readonly unknown[]> {
  const { url, stop } = await start();
  const answers: unknown[] = [];
  try {
    for (const request of [...day, ...beyond]) {
      const { method, path } = request;
      answers.push({ request: `${method} ${path}`, ...essence(await send(url, request)) });
    }
  } finally {
    await stop();
  }
  return answers;
}

function essence({ status, headers, text }: HttpAnswer): object {
  const isJson = headers['content-type']?.startsWith('application/json') === true && text !== '';
  const error = status >= 400 && isJson ? (JSON.parse(text) as { readonly code: unknown }) : undefined;
  const varying = ['date', 'vary', ...(error === undefined ? [] : ['content-length'])];
  const compared = Object.entries(headers).filter(([name]) => !varying.includes(name));
  return { status, headers: Object.fromEntries(compared), body: error === undefined ? text : error.code };
}
